"""The generator behind `evalsim generate`; private: import nothing from it."""
