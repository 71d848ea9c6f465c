"""The reviewer that asks a language model."""
