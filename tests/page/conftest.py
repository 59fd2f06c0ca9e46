"""The browser that the tests of pages share."""

from tests.support.browsing import blank, browser, page, watched  # noqa: F401  # fixtures
