"""Where sessions are kept between boundaries and between processes."""
