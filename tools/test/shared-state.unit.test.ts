import { expect, test, vi } from 'vitest';
import { expectUnchanged, sharedState } from './shared-state.ts';

const planted = 'SVC_TEST_LEFT_BEHIND';
const listener = () => undefined;

test.each([
  [`process.env.${planted}`, () => void vi.stubEnv(planted, '1'), () => void vi.unstubAllEnvs()],
  ['fake timers', () => void vi.useFakeTimers(), () => void vi.useRealTimers()],
  ['globalThis.fetch', () => void vi.stubGlobal('fetch', listener), () => void vi.unstubAllGlobals()],
  [
    'signal listeners',
    () => void process.on('SIGTERM', listener),
    () => void process.off('SIGTERM', listener),
  ],
])(
  '%s that a test file leaves changed is reported, and is accepted once it is restored',
  (name, leave, putBack) => {
    const before = sharedState();
    leave();
    try {
      expect(() => expectUnchanged(before)).toThrow(`for the next one of its process: ${name}. `);
    } finally {
      putBack();
    }
    expectUnchanged(before);
  },
);
