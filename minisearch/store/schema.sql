-- One file holds a whole search engine. Open it with any SQLite tool: the tables are what the engine works on,
-- the views at the end answer the questions that people ask first.
--
--   urls ──┬─> pages ──> contents          discovered URLs, fetched pages, their text
--          └─> links (page -> url)         which page links where, and with which words
--   segments ──> terms ──> blocks          which pages contain a term (the inverted index)
--   rankings ──> scores                    PageRank and other link scores

CREATE TABLE crawls (
    -- A crawl is identified by its seeds: the same seeds again resume it.
    id        INTEGER PRIMARY KEY,
    seeds     TEXT NOT NULL UNIQUE,      -- JSON list of normalised URLs
    settings  TEXT NOT NULL              -- JSON object; when it changes, old decisions are evaluated again
);

CREATE TABLE urls (
    -- Every URL ever discovered, with its status. The queued ones are the frontier.
    id         INTEGER PRIMARY KEY,
    url        TEXT NOT NULL UNIQUE,
    host       TEXT NOT NULL,
    crawl_id   INTEGER REFERENCES crawls(id),
    state      TEXT NOT NULL CHECK (state IN ('queued', 'fetched', 'merged', 'skipped', 'failed')),
    rule       TEXT NOT NULL DEFAULT '', -- that decided: robots, scope, depth, redirect, identical ...
    detail     TEXT NOT NULL DEFAULT '', -- of the rule, as a JSON object such as {"depth": 3, "limit": 2}; '': none
    depth      INTEGER NOT NULL,         -- number of links from the nearest seed
    redirects  INTEGER NOT NULL DEFAULT 0, -- length of the redirect chain that led here
    referrer_id INTEGER REFERENCES urls(id), -- where it was discovered; NULL: a seed
    turn       INTEGER NOT NULL DEFAULT 0, -- smaller turns are fetched first, so that URL patterns share a host
    inlinks    INTEGER NOT NULL DEFAULT 0, -- pages known to link here, counted for --order best
    redirect_target_id INTEGER REFERENCES urls(id), -- the next URL of a redirect chain
    page_id    INTEGER REFERENCES pages(id) -- the page it finally leads to: its own, a redirect's or a duplicate's
);
CREATE INDEX urls_frontier ON urls (crawl_id, host, depth, turn, id) WHERE state = 'queued';
CREATE INDEX urls_page_id ON urls (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX urls_host ON urls (host) WHERE page_id IS NOT NULL; -- the hosts of a file, whatever its size

CREATE TABLE url_history (
    -- Earlier statuses of a URL, up to twenty; being queued is not recorded.
    url_id    INTEGER NOT NULL REFERENCES urls(id),
    until     TEXT NOT NULL,             -- when the next status replaced it
    state     TEXT NOT NULL,
    rule      TEXT NOT NULL,
    detail    TEXT NOT NULL              -- as in urls
);
CREATE INDEX url_history_url_id ON url_history (url_id);
CREATE TRIGGER url_status_changed AFTER UPDATE OF state, rule, detail ON urls
    WHEN OLD.state <> 'queued' AND OLD.rule <> 'shard' -- which another file decides
    AND (OLD.state, OLD.rule, OLD.detail) IS NOT (NEW.state, NEW.rule, NEW.detail)
    -- That a page is fetched and that it is a duplicate results from one visit; a redirect is found by a later one.
    AND NOT (OLD.state = 'fetched' AND OLD.rule = '' AND NEW.state = 'merged' AND NEW.rule <> 'redirect')
    -- Where a chain of redirects ends is the history of its end.
    AND NOT (OLD.rule IN ('redirect', 'redirect-loop') AND NEW.rule IN ('redirect', 'redirect-loop')
        AND OLD.redirect_target_id = NEW.redirect_target_id)
BEGIN
    INSERT INTO url_history VALUES (OLD.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), OLD.state, OLD.rule, OLD.detail);
    DELETE FROM url_history WHERE url_id = OLD.id AND rowid NOT IN
        (SELECT rowid FROM url_history WHERE url_id = OLD.id ORDER BY rowid DESC LIMIT 20);
END;

CREATE TABLE pages (
    -- Fetched documents. Ids are dense, so that arrays can be indexed by them.
    id            INTEGER PRIMARY KEY,
    url_id        INTEGER NOT NULL UNIQUE REFERENCES urls(id),
    kind          TEXT NOT NULL DEFAULT 'page', -- of document; so far there is only this one
    title         TEXT NOT NULL,
    description   TEXT NOT NULL,
    language      TEXT NOT NULL,         -- a tag such as sr-latn; '': unknown
    language_evidence TEXT NOT NULL DEFAULT '', -- html lang, meta tag, http header, or detected from the text
    canonical     TEXT NOT NULL,         -- URL in rel=canonical; '': none
    noindex       TEXT NOT NULL,         -- the directive that keeps it out of the index; '': none
    status        INTEGER NOT NULL,      -- of the HTTP response
    content_type  TEXT NOT NULL,
    charset       TEXT NOT NULL,
    charset_evidence TEXT NOT NULL,      -- BOM, header, meta, or how it was guessed
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    fetched_at    TEXT NOT NULL,
    checked_at    TEXT NOT NULL DEFAULT '', -- when a recrawl last found it unchanged; '': never
    content_hash  TEXT NOT NULL,         -- equal for identical texts
    simhash       INTEGER,               -- differs in a few bits between similar texts; NULL: no words
    title_hash    INTEGER NOT NULL,      -- equal for titles that name the same thing in another version
    skeleton_hash TEXT NOT NULL DEFAULT '', -- equal for texts that differ in a few numbers only; '': numbers may matter
    own_word_count INTEGER NOT NULL,     -- words outside of lines that are only a link
    canonical_page_id INTEGER REFERENCES pages(id), -- the page that this one duplicates
    near_duplicate_group INTEGER,        -- equal for near-duplicates; NULL: there are none
    segment_id    INTEGER REFERENCES segments(id) -- where its postings are; NULL: not indexed yet
);
CREATE INDEX pages_segment_id ON pages (segment_id);
CREATE INDEX pages_canonical_page_id ON pages (canonical_page_id) WHERE canonical_page_id IS NOT NULL;
CREATE INDEX pages_title ON pages (title COLLATE NOCASE);
CREATE INDEX pages_near_duplicate_group ON pages (near_duplicate_group) WHERE near_duplicate_group IS NOT NULL;

CREATE TABLE contents (
    -- Texts and HTML, apart from pages so that pages stays small and quick to scan.
    page_id  INTEGER PRIMARY KEY REFERENCES pages(id),
    headings TEXT NOT NULL,              -- JSON list of [level, text, start in text, id]; level 7: a defined term
    text     TEXT NOT NULL,              -- visible text, one line a block
    html     BLOB                        -- the document as received, zlib-compressed
);

CREATE TABLE links (
    -- The different links of a page, in their order.
    page_id  INTEGER NOT NULL REFERENCES pages(id),
    position INTEGER NOT NULL,           -- among the links of the page, from 0
    url_id   INTEGER NOT NULL REFERENCES urls(id), -- where it leads
    anchor   TEXT NOT NULL,              -- its text
    nofollow INTEGER NOT NULL,
    count    INTEGER NOT NULL,           -- how often it occurs on the page
    fragment TEXT NOT NULL DEFAULT '',   -- what it has after '#', as written
    PRIMARY KEY (page_id, position)
) WITHOUT ROWID;
CREATE INDEX links_url_id ON links (url_id);

CREATE TABLE segments (
    -- A part of the inverted index, written at once from a batch of pages; small ones are rebuilt together.
    -- 'page' segments index title, headings, URL and body; 'anchor' segments index the anchor texts of links.
    -- A document of a page segment counts only while pages.segment_id still names that segment.
    id        INTEGER PRIMARY KEY,
    kind      TEXT NOT NULL CHECK (kind IN ('page', 'anchor')),
    size      INTEGER NOT NULL,          -- documents in it
    terms     INTEGER NOT NULL,          -- terms in it
    languages TEXT NOT NULL,             -- JSON list: those whose rules stemmed its words; "de+en": of anchor texts in both
    pages     BLOB NOT NULL,             -- the page id of each document; how columns are encoded: index/codec.py
    lengths   BLOB NOT NULL,             -- words in each field
    language  BLOB NOT NULL              -- of each document, a place in `languages`
);

CREATE TABLE terms (
    -- The term dictionary. A term that begins with = is an exact-match key of a title, heading or anchor text.
    segment_id INTEGER NOT NULL REFERENCES segments(id),
    term       TEXT NOT NULL,
    df         INTEGER NOT NULL,         -- document frequency: documents of the segment that contain the term
    block_id   INTEGER NOT NULL REFERENCES blocks(id),
    place      INTEGER NOT NULL,         -- of its postings in the block
    PRIMARY KEY (segment_id, term)
) WITHOUT ROWID;

CREATE TABLE blocks (
    -- The postings of consecutive terms, compressed; a frequent term has a block of its own. See index/codec.py
    id         INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL REFERENCES segments(id),
    docs       BLOB NOT NULL,            -- which documents, how often in which field
    positions  BLOB NOT NULL             -- where in the fields
);
CREATE INDEX blocks_segment_id ON blocks (segment_id);

CREATE TABLE words (
    -- Words as people write them, for spelling suggestions and completions.
    segment_id INTEGER NOT NULL REFERENCES segments(id),
    word       TEXT NOT NULL,            -- without case and accents
    count      INTEGER NOT NULL,         -- occurrences
    spelling   TEXT NOT NULL,            -- as it is usually written; '': the same
    PRIMARY KEY (segment_id, word)
) WITHOUT ROWID;

CREATE TABLE rankings (
    name        TEXT PRIMARY KEY,        -- such as pagerank
    parameters  TEXT NOT NULL,           -- JSON object
    iterations  INTEGER NOT NULL,
    residual    REAL NOT NULL,
    converged   INTEGER NOT NULL,
    computed_at TEXT NOT NULL,
    vector      BLOB NOT NULL            -- the scores again, float64 by page id, for programs that need them all
);

CREATE TABLE scores (
    ranking TEXT NOT NULL REFERENCES rankings(name),
    page_id INTEGER NOT NULL REFERENCES pages(id),
    score   REAL NOT NULL,
    PRIMARY KEY (ranking, page_id)
) WITHOUT ROWID;

CREATE TABLE settings (
    -- Ranking parameters changed for this file (minisearch weights --set).
    name  TEXT PRIMARY KEY,              -- such as weight.title
    value REAL NOT NULL                  -- of prior, the name of a ranking
) WITHOUT ROWID;

CREATE TABLE index_state (
    -- A random number that changes with the index, the rankings and their settings: caches are keyed by it.
    generation INTEGER NOT NULL
);
INSERT INTO index_state VALUES (random());
CREATE TRIGGER segment_added AFTER INSERT ON segments
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER segment_deleted AFTER DELETE ON segments
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER page_left_segment AFTER UPDATE OF segment_id ON pages
    WHEN OLD.segment_id IS NOT NULL AND OLD.segment_id IS NOT NEW.segment_id
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER page_deleted AFTER DELETE ON pages WHEN OLD.segment_id IS NOT NULL
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER ranking_added AFTER INSERT ON rankings
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER ranking_deleted AFTER DELETE ON rankings
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER setting_added AFTER INSERT ON settings
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER setting_deleted AFTER DELETE ON settings
    BEGIN UPDATE index_state SET generation = random(); END;

CREATE TABLE robots (
    -- robots.txt of each origin, used for an hour so that a crawl that is resumed soon need not fetch it again.
    origin      TEXT PRIMARY KEY,        -- scheme, host and port
    status      INTEGER NOT NULL,        -- of the last response; an unreachable file is not kept
    text        TEXT NOT NULL,
    fetched_at  TEXT NOT NULL
);

CREATE TABLE traps (
    -- What a crawl knows about crawler traps, for its next run.
    crawl_id  INTEGER NOT NULL REFERENCES crawls(id),
    pattern   TEXT NOT NULL,             -- URLs that differ in numbers, ids and months only
    blocked   INTEGER NOT NULL,          -- 1: URLs of this pattern that are found on one another are not fetched
    recent    TEXT NOT NULL,             -- JSON list of the last pages: 1 for one that nearly repeats another, else 0
    different TEXT NOT NULL,             -- JSON list of [title, text, simhash, words] of pages to compare with, hashed
    PRIMARY KEY (crawl_id, pattern)
) WITHOUT ROWID;

CREATE TABLE staged_recrawls (
    -- Recrawls under way. What they fetch is staged, and applied in one transaction at the end: until then the pages
    -- are as they were, and a recrawl that was killed continues with what it has staged.
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id),
    command  TEXT NOT NULL               -- JSON object; another command does not continue with what is staged
);

CREATE TABLE staged_visits (
    id         INTEGER PRIMARY KEY,      -- in the order of the visits
    crawl_id   INTEGER NOT NULL REFERENCES crawls(id),
    url        TEXT NOT NULL,
    kind       TEXT NOT NULL,            -- of the outcome: Page, Unchanged, Redirect, Skipped, Failed
    visited_at TEXT NOT NULL,
    visit      TEXT NOT NULL,            -- JSON object
    html       BLOB                      -- of the page, zlib-compressed
);
CREATE INDEX staged_visits_crawl ON staged_visits (crawl_id);

CREATE TABLE runs (
    -- Every crawl, index and rank that was run.
    id          INTEGER PRIMARY KEY,
    stage       TEXT NOT NULL,
    settings    TEXT NOT NULL,           -- JSON object
    started_at  TEXT NOT NULL,
    finished_at TEXT,                    -- NULL: running, or killed
    counts      TEXT                     -- JSON object
);

-- Views for people -----------------------------------------------------------------------

CREATE VIEW page_list AS
    -- One row for each page, duplicates too.
    SELECT urls.url, pages.title, pages.language, urls.depth, pages.own_word_count AS words, pages.fetched_at,
        pages.segment_id IS NOT NULL AS indexed, canonical.url AS duplicate_of, pages.id AS page_id
    FROM pages JOIN urls ON urls.id = pages.url_id
    LEFT JOIN pages AS original ON original.id = pages.canonical_page_id
    LEFT JOIN urls AS canonical ON canonical.id = original.url_id;

CREATE VIEW url_status AS
    -- What became of each URL, which rule decided, and how it was discovered.
    SELECT urls.url, urls.state, urls.rule, urls.detail, urls.depth, referrer.url AS referrer,
        coalesce(target.url, CASE urls.state WHEN 'merged' THEN own.url END) AS leads_to, urls.id AS url_id
    FROM urls LEFT JOIN urls AS referrer ON referrer.id = urls.referrer_id
    LEFT JOIN urls AS target ON target.id = urls.redirect_target_id
    LEFT JOIN pages ON pages.id = urls.page_id LEFT JOIN urls AS own ON own.id = pages.url_id;

CREATE VIEW in_links AS
    -- Who links to a URL, and with which words.
    SELECT target.url AS url, source.url AS linked_from, links.anchor, links.nofollow, links.count, links.fragment
    FROM links JOIN pages ON pages.id = links.page_id
    JOIN urls AS source ON source.id = pages.url_id
    JOIN urls AS target ON target.id = links.url_id;

CREATE VIEW out_links AS
    -- Where the links of a page lead.
    SELECT linked_from AS url, url AS links_to, anchor, nofollow, count, fragment FROM in_links;

CREATE VIEW top_pages AS
    -- The pages of each ranking, the best first.
    SELECT scores.ranking, scores.score, urls.url, pages.title
    FROM scores JOIN pages ON pages.id = scores.page_id JOIN urls ON urls.id = pages.url_id
    ORDER BY scores.ranking, scores.score DESC;

CREATE VIEW vocabulary AS
    -- The terms of all pages. A page that has changed counts twice until the segment of its old version is rebuilt.
    SELECT term, sum(df) AS df FROM terms JOIN segments ON segments.id = terms.segment_id
    WHERE kind = 'page' AND NOT (term >= '=' AND term < '>') -- exact-match keys
    GROUP BY term;

CREATE VIEW sections AS
    -- The headings and defined terms of each page: a section begins at the character `start` of contents.text.
    SELECT page_id, key AS position, json_extract(value, '$[0]') AS level, json_extract(value, '$[1]') AS heading,
        json_extract(value, '$[2]') AS start, json_extract(value, '$[3]') AS anchor
    FROM contents, json_each(contents.headings);
