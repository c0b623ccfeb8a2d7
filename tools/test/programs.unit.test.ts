import { afterEach, describe, expect, test, vi } from 'vitest';
import { findProgram, hasPrograms } from './programs.ts';

afterEach(() => vi.unstubAllEnvs());
const need = { tests: 'nonsense tests', programs: ['sh', 'no-such-program'], debianPackage: 'nonsense' };

describe('programs that tests need', () => {
  test('are found on the path', () => {
    expect(findProgram('sh')).toMatch(/\/sh$/);
    expect(findProgram('no-such-program')).toBeUndefined();
    expect(hasPrograms({ ...need, programs: ['sh'] })).toBe(true);
  });

  test('may be missing on a developer’s machine, where the tests are skipped', () => {
    vi.stubEnv('SVC_REQUIRE_ALL', '');
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(hasPrograms(need)).toBe(false);
    expect(String(written.mock.calls)).toContain('*** SKIPPED: the nonsense tests need no-such-program');
    written.mockRestore();
  });

  test('must not be missing in continuous integration', () => {
    vi.stubEnv('SVC_REQUIRE_ALL', '1');
    expect(() => hasPrograms(need)).toThrow(
      'Nothing may be skipped, but the nonsense tests need no-such-program: install the Debian package nonsense.',
    );
  });
});
