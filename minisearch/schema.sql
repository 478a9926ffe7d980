-- One file holds a whole search engine. Open it with any SQLite tool and look around:
-- the tables are what the engine works on, the views at the end are for people.
--
--   urls ──┬─> pages ──> contents          what was met, what was fetched, what it said
--          └─> links (page -> url)         who points at whom, and with which words
--   segments ──> terms ──> blocks          which pages have a term (the inverted index)
--   rankings ──> scores                    which pages matter (PageRank and its kin)

-- A crawl is known by its seeds: the same seeds again means "go on with it".
CREATE TABLE crawls (
    id        INTEGER PRIMARY KEY,
    seeds     TEXT NOT NULL UNIQUE,      -- JSON list of normalised urls
    settings  TEXT NOT NULL              -- JSON object; when it changes, verdicts are reconsidered
);

-- Every address ever met, with what became of it. The queued ones are the frontier.
CREATE TABLE urls (
    id        INTEGER PRIMARY KEY,
    url       TEXT NOT NULL UNIQUE,
    host      TEXT NOT NULL,
    crawl     INTEGER REFERENCES crawls(id),
    state     TEXT NOT NULL CHECK (state IN ('queued', 'fetched', 'merged', 'skipped', 'failed')),
    depth     INTEGER NOT NULL,          -- links away from the nearest seed
    hops      INTEGER NOT NULL DEFAULT 0, -- redirects in a row that led here
    found_on  INTEGER REFERENCES urls(id), -- the page that told us; NULL for a seed
    turn      INTEGER NOT NULL DEFAULT 0, -- smaller turns come first, so that URL patterns share a host
    inlinks   INTEGER NOT NULL DEFAULT 0, -- pages known to link here, counted for --order best
    rule      TEXT NOT NULL DEFAULT '',  -- what decided: robots, scope, depth, redirect, identical ...
    detail    TEXT NOT NULL DEFAULT '',  -- of the rule, as a JSON object such as {"depth": 3, "limit": 2}; '': none
    target    INTEGER REFERENCES urls(id), -- merged: the url that stands for this one
    page      INTEGER REFERENCES pages(id) -- the page it leads to in the end, if we hold it
);
CREATE INDEX urls_frontier ON urls (crawl, host, depth, turn, id) WHERE state = 'queued';
CREATE INDEX urls_page ON urls (page) WHERE page IS NOT NULL;
CREATE INDEX urls_host ON urls (host) WHERE page IS NOT NULL; -- the hosts of a file, whatever its size

-- What was said of a url before its last verdict, the last twenty times; waiting for a turn is no verdict.
CREATE TABLE past (
    url       INTEGER NOT NULL REFERENCES urls(id),
    until     TEXT NOT NULL,             -- when the next one took its place
    state     TEXT NOT NULL,
    rule      TEXT NOT NULL,
    detail    TEXT NOT NULL              -- as in urls
);
CREATE INDEX past_url ON past (url);
CREATE TRIGGER past_verdicts AFTER UPDATE OF state, rule, detail ON urls
    WHEN OLD.state <> 'queued' AND OLD.rule <> 'shard' -- which another file decides
    AND (OLD.state, OLD.rule, OLD.detail) IS NOT (NEW.state, NEW.rule, NEW.detail)
    AND NOT (OLD.state = 'fetched' AND OLD.rule = '' AND NEW.state = 'merged') -- both come of one visit
BEGIN
    INSERT INTO past VALUES (OLD.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), OLD.state, OLD.rule, OLD.detail);
    DELETE FROM past WHERE url = OLD.id AND rowid NOT IN
        (SELECT rowid FROM past WHERE url = OLD.id ORDER BY rowid DESC LIMIT 20);
END;

-- Fetched documents. Ids are dense, so that arrays can be indexed by them.
CREATE TABLE pages (
    id            INTEGER PRIMARY KEY,
    url           INTEGER NOT NULL UNIQUE REFERENCES urls(id),
    title         TEXT NOT NULL,
    description   TEXT NOT NULL,
    language      TEXT NOT NULL,         -- a tag such as sr-latn, or '' if nobody knows
    canonical     TEXT NOT NULL,         -- what rel=canonical says, if anything
    noindex       TEXT NOT NULL,         -- the rule that keeps it out of the index, or ''
    status        INTEGER NOT NULL,
    content_type  TEXT NOT NULL,
    charset       TEXT NOT NULL,
    charset_evidence TEXT NOT NULL,      -- BOM, header, meta, or how it was guessed
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    fetched_at    TEXT NOT NULL,
    content_hash  TEXT NOT NULL,         -- equal for pages that say the same
    merged_into   INTEGER REFERENCES pages(id), -- the page that stands for this one
    segment       INTEGER REFERENCES segments(id), -- where its postings are; NULL: not indexed yet
    language_evidence TEXT NOT NULL DEFAULT '', -- html lang, meta tag, http header, or detected from the text
    simhash       INTEGER,               -- a few bits differ between pages that say nearly the same; NULL: no words
    words         INTEGER NOT NULL,      -- of its own: lines that are only a link left out
    subject       INTEGER NOT NULL,      -- a number for what its title names, whatever the version
    outline       TEXT NOT NULL DEFAULT '', -- equal for pages that say the same but for a few numbers; '': no telling
    checked_at    TEXT NOT NULL DEFAULT '', -- when it was last visited and found to say the same; '': never again
    alike         INTEGER                -- the number of its group of near-identical pages; NULL: like no other
);
CREATE INDEX pages_segment ON pages (segment);
CREATE INDEX pages_merged ON pages (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX pages_title ON pages (title COLLATE NOCASE);
CREATE INDEX pages_alike ON pages (alike) WHERE alike IS NOT NULL;

-- The page repository: kept apart so that the table above stays small and quick to scan.
CREATE TABLE contents (
    page     INTEGER PRIMARY KEY REFERENCES pages(id),
    headings TEXT NOT NULL,              -- JSON list of [level, text, start in text, id]; level 7: a term defined
    text     TEXT NOT NULL,              -- visible text, one line a block
    html     BLOB                        -- the document as received, zlib-compressed
);

-- The n-th different link of a page; count tells how often it stands there.
CREATE TABLE links (
    page     INTEGER NOT NULL REFERENCES pages(id),
    n        INTEGER NOT NULL,
    url      INTEGER NOT NULL REFERENCES urls(id),
    anchor   TEXT NOT NULL,
    nofollow INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    fragment TEXT NOT NULL DEFAULT '',   -- what it has after '#', as written
    PRIMARY KEY (page, n)
) WITHOUT ROWID;
CREATE INDEX links_url ON links (url);     -- away while a first crawl goes on

-- The inverted index. A segment is written once, from a batch of pages; small ones are indexed again together.
-- 'page' segments hold title, headings, url and body; 'anchor' segments hold the anchor texts of other pages' links.
-- A document of a page segment counts only while pages.segment still names that segment.
CREATE TABLE segments (
    id        INTEGER PRIMARY KEY,
    kind      TEXT NOT NULL CHECK (kind IN ('page', 'anchor')),
    size      INTEGER NOT NULL,          -- documents in it
    terms     INTEGER NOT NULL,
    languages TEXT NOT NULL,             -- JSON list: by the rules of which its words were stemmed
    pages     BLOB NOT NULL,             -- the page id of each document; how columns are encoded: index/codec.py
    lengths   BLOB NOT NULL,             -- words in each field
    language  BLOB NOT NULL              -- of each document, a place in `languages`
);

-- The term dictionary. A term that begins with = is an exact-match key of a title, heading or anchor text.
CREATE TABLE terms (
    segment_id INTEGER NOT NULL REFERENCES segments(id),
    term       TEXT NOT NULL,
    df         INTEGER NOT NULL,         -- document frequency: documents of the segment that have the term
    block_id   INTEGER NOT NULL REFERENCES blocks(id),
    place      INTEGER NOT NULL,         -- of its postings in the block
    PRIMARY KEY (segment_id, term)
) WITHOUT ROWID;

-- The postings of consecutive terms, compressed; a frequent term has a block of its own. See index/codec.py
CREATE TABLE blocks (
    id         INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL REFERENCES segments(id),
    docs       BLOB NOT NULL,            -- which documents, how often in which field
    positions  BLOB NOT NULL             -- where in the fields
);
CREATE INDEX blocks_segment ON blocks (segment_id);

-- Words as people write them, for spelling suggestions and completions.
CREATE TABLE words (
    segment_id INTEGER NOT NULL REFERENCES segments(id),
    word       TEXT NOT NULL,            -- without case and accents
    count      INTEGER NOT NULL,         -- occurrences
    spelling   TEXT NOT NULL,            -- as it is usually written, '' if that is the same
    PRIMARY KEY (segment_id, word)
) WITHOUT ROWID;

-- A random number that is another one whenever the index, the rankings or their settings have changed.
CREATE TABLE index_state (generation INTEGER NOT NULL);
INSERT INTO index_state VALUES (random());
CREATE TRIGGER segment_added AFTER INSERT ON segments
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER segment_dropped AFTER DELETE ON segments
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER page_left_segment AFTER UPDATE OF segment ON pages WHEN OLD.segment IS NOT NULL AND OLD.segment IS NOT NEW.segment
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER page_deleted AFTER DELETE ON pages WHEN OLD.segment IS NOT NULL
    BEGIN UPDATE index_state SET generation = random(); END;

CREATE TABLE rankings (
    name        TEXT PRIMARY KEY,
    parameters  TEXT NOT NULL,           -- JSON
    rounds      INTEGER NOT NULL,
    residual    REAL NOT NULL,
    converged   INTEGER NOT NULL,
    computed_at TEXT NOT NULL,
    vector      BLOB NOT NULL            -- the scores again, float64 by page id, read in one gulp
);

CREATE TRIGGER ranking_added AFTER INSERT ON rankings
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER ranking_deleted AFTER DELETE ON rankings
    BEGIN UPDATE index_state SET generation = random(); END;

CREATE TABLE scores (
    ranking TEXT NOT NULL REFERENCES rankings(name),
    page    INTEGER NOT NULL REFERENCES pages(id),
    score   REAL NOT NULL,
    PRIMARY KEY (ranking, page)
) WITHOUT ROWID;

-- robots.txt of each origin, used for an hour so that a crawl that is resumed soon need not fetch it again.
CREATE TABLE robots (
    site        TEXT PRIMARY KEY,        -- scheme, host and port
    status      INTEGER NOT NULL,        -- of the last answer; an unreachable file is not kept
    text        TEXT NOT NULL,
    fetched_at  TEXT NOT NULL
);

-- What a crawl has found out about crawler traps, so that the next run of it need not learn it again.
CREATE TABLE traps (
    crawl     INTEGER NOT NULL REFERENCES crawls(id),
    pattern   TEXT NOT NULL,             -- urls that differ in numbers, ids and months only
    blocked   INTEGER NOT NULL,          -- 1: no more urls of this pattern that are found on one another are fetched
    recent    TEXT NOT NULL,             -- JSON list of the last pages: 1 for one that nearly repeats another, else 0
    different TEXT NOT NULL,             -- JSON list of [title, text, simhash, words] of pages to compare with, hashed
    PRIMARY KEY (crawl, pattern)
) WITHOUT ROWID;

-- Recrawls under way. What they fetch is staged, and applied in one transaction at the end: until then the pages above
-- are as they were, and a recrawl that was killed continues with what it has staged.
CREATE TABLE staged_recrawls (
    crawl_id INTEGER PRIMARY KEY REFERENCES crawls(id),
    command  TEXT NOT NULL               -- JSON object; another command does not continue with what is staged
);

CREATE TABLE staged_visits (
    id           INTEGER PRIMARY KEY,    -- in the order of the visits
    crawl_id     INTEGER NOT NULL REFERENCES crawls(id),
    url          TEXT NOT NULL,
    host         TEXT NOT NULL,
    result       TEXT NOT NULL,          -- new, unchanged, same (text), changed, gone, kept; '': no page, then and now
    cause        TEXT NOT NULL,          -- JSON object: why the page would leave the results; '': it stays
    target       TEXT NOT NULL,          -- of a redirect
    content_hash TEXT NOT NULL,
    visited_at   TEXT NOT NULL,
    visit        TEXT NOT NULL,          -- JSON object
    html         BLOB                    -- of the page, zlib-compressed
);
CREATE INDEX staged_visits_content ON staged_visits (content_hash);

-- URLs that a recrawl has discovered, or that were queued when it started.
CREATE TABLE staged_urls (
    id       INTEGER PRIMARY KEY,
    crawl_id INTEGER NOT NULL REFERENCES crawls(id),
    url      TEXT NOT NULL,
    host     TEXT NOT NULL,
    depth    INTEGER NOT NULL,
    hops     INTEGER NOT NULL,
    turn     INTEGER NOT NULL,
    referrer TEXT NOT NULL,              -- the URL it was found on
    rule     TEXT NOT NULL,              -- why it is not fetched; '': it is
    visited  INTEGER NOT NULL DEFAULT 0,
    UNIQUE (crawl_id, url)
);
CREATE INDEX staged_urls_frontier ON staged_urls (crawl_id, host, depth, turn, id) WHERE rule = '' AND NOT visited;

-- Numbers of the ranking that were changed for this file (minisearch ranking --set).
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,              -- such as weight.title
    value REAL NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER setting_added AFTER INSERT ON settings
    BEGIN UPDATE index_state SET generation = random(); END;
CREATE TRIGGER setting_deleted AFTER DELETE ON settings
    BEGIN UPDATE index_state SET generation = random(); END;

-- Every crawl, index and rank that was run.
CREATE TABLE runs (
    id          INTEGER PRIMARY KEY,
    stage       TEXT NOT NULL,
    settings    TEXT NOT NULL,           -- JSON
    started_at  TEXT NOT NULL,
    finished_at TEXT,                    -- NULL: running, or killed
    counts      TEXT                     -- JSON
);

-- For people ----------------------------------------------------------------------------

CREATE VIEW in_links AS
    SELECT target.url AS url, source.url AS linked_from, links.anchor, links.nofollow, links.count
    FROM links JOIN pages ON pages.id = links.page
    JOIN urls AS source ON source.id = pages.url
    JOIN urls AS target ON target.id = links.url;

CREATE VIEW out_links AS
    SELECT linked_from AS url, url AS links_to, anchor, nofollow, count FROM in_links;

CREATE VIEW top_pages AS
    SELECT scores.ranking, scores.score, urls.url, pages.title
    FROM scores JOIN pages ON pages.id = scores.page JOIN urls ON urls.id = pages.url
    ORDER BY scores.ranking, scores.score DESC;

-- Pages that have changed are counted twice until the segment that has their old version is rebuilt.
CREATE VIEW vocabulary AS
    SELECT term, sum(df) AS df FROM terms JOIN segments ON segments.id = terms.segment_id
    WHERE kind = 'page' AND NOT (term >= '=' AND term < '>') -- exact-match keys
    GROUP BY term;

CREATE VIEW verdicts AS
    SELECT state, rule, count(*) AS urls FROM urls GROUP BY state, rule ORDER BY state, urls DESC;
