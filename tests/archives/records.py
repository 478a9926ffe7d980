"""Records as the bytes that a file holds."""

from io import BytesIO

from warcio.warcwriter import WARCWriter

from minisearch.archives import warc_writer


def written(record, *, compressed=False):
    output = BytesIO()
    WARCWriter(output, gzip=compressed).write_record(record)
    return output.getvalue()


def info(*facts, **how):
    return written(warc_writer.info_record(*facts), **how)


def response(*facts, **how):
    return written(warc_writer.response_record(*facts), **how)


def decision(*facts, robots=False, **how):
    return written(warc_writer.decision_record(*facts, robots=robots), **how)
