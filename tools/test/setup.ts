import fc from 'fast-check';

/** Seed of every property test, so that a tree that was green stays so; `FAST_CHECK_SEED=random` looks further. */
const seed = process.env['FAST_CHECK_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
