// Empty: the precompiled headers of the tests are made with this target.
