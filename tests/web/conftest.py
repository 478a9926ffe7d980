"""What the tests of the web application share: the garden, served without a socket."""

import pytest

from minisearch.web.app import create_app


@pytest.fixture(scope="session")
def app(garden):
    """The application over the garden."""
    return create_app(str(garden.path))


@pytest.fixture
def client(app, garden):
    """A client of it, which knows where the garden is."""
    client = app.test_client()
    client.site = garden.home.removesuffix("/garden/")
    return client
