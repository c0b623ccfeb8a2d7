import fc from 'fast-check';
import { afterAll } from 'vitest';
import { expectUnchanged, sharedState } from './shared-state.ts';

/** Seed of every property test, so that a tree that was green stays so; `FAST_CHECK_SEED=random` looks further. */
const seed = process.env['FAST_CHECK_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

const before = sharedState();

// Hooks after a file run in reverse order, so this one sees what the file's own have put back.
afterAll(() => expectUnchanged(before));
