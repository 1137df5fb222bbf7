"""How requests, tenants and policies are described in files, and kept current."""
