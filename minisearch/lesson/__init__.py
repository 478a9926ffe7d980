"""How does one learn it? The exercises of the handbook, and who checks them."""
