"""Tracking: parameters that tell a server who sent the reader, and change nothing of what the reader sees.

They are left out of every url. Only names that mean nothing else are listed: `ref`, `source` or `id` may well choose
the page. What is not listed stays, and in its order.
"""

from __future__ import annotations

import re

# Who puts it there -> the names; one that ends in "_" stands for all that begin so.
PARAMETERS = {
    "Google Analytics and whoever copied it": "utm_ _ga _gl ga_source ga_medium ga_campaign ga_term ga_content",
    "Google": "gclid gclsrc dclid gbraid wbraid srsltid gad_source gad_campaignid",
    "Facebook and Instagram": "fbclid fb_action_ids fb_action_types fb_source igshid igsh",
    "Microsoft": "msclkid",
    "Twitter": "twclid ref_src ref_url",
    "TikTok, Snapchat, Pinterest, Reddit, LinkedIn": "ttclid sccid epik rdt_cid li_fat_id",
    "Yandex": "yclid ysclid _openstat",
    "Matomo": "mtm_ matomo_ pk_ piwik_",
    "Mailchimp": "mc_cid mc_eid",
    "HubSpot": "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking hsa_",
    "Marketo, Eloqua, Salesforce": "mkt_tok elqtrackid elqtrack sfmc_id",
    "other mailers": "vero_id vero_conv oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash dm_i _ke",
    "other counters": "at_medium at_campaign s_cid wickedid irclickid rb_clickid _branch_match_id guccounter",
}

_NAMES = "|".join(
    re.escape(name) + ("[^=&]*" if name.endswith("_") else "")
    for names in PARAMETERS.values()
    for name in names.split()
)
_TRACKED = re.compile(rf"(?:^|&)({_NAMES})(?:=[^&]*)?(?=&|$)", re.IGNORECASE)
_LIKELY = re.compile(_NAMES, re.IGNORECASE)


def untracked(query: str) -> str:
    """The query of a url without the parameters listed above.

    >>> untracked("id=7&utm_source=news&utm_medium=mail&page=2"), untracked("fbclid=x"), untracked("gclids=1")
    ('id=7&page=2', '', 'gclids=1')
    """
    if not any(map(_LIKELY.match, query.split("&"))):  # quickly told, which matters where queries are long
        return query
    kept = _TRACKED.sub("", query)
    return kept if query.startswith("&") or len(kept) == len(query) else kept.removeprefix("&")


def tracking(url: str) -> list[str]:
    """The names of the parameters of a url that are left out.

    >>> tracking("http://example.com/?id=7&utm_source=news&gclid=1")
    ['utm_source', 'gclid']
    """
    return _TRACKED.findall(url.partition("#")[0].partition("?")[2])
