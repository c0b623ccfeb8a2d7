import fc from 'fast-check';
import { afterAll } from 'vitest';
import { expectUnchanged, sharedState } from './shared-state.ts';

/** Seed of all property tests, so that results do not vary between runs. `FAST_CHECK_SEED=random` tries other seeds. */
const seed = process.env['FAST_CHECK_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

const before = sharedState();

// Hooks after a file run in reverse order, so this hook runs after the file's hooks have restored their changes.
afterAll(() => expectUnchanged(before));
