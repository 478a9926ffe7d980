from tests.cluster.conftest import workers

__all__ = ["workers"]
