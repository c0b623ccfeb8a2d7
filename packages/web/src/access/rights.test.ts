import { describe, expect, it } from 'vitest';
import { holds, needs, noRights } from './rights.ts';

describe('rights of a user in the pages', () => {
  it('hides project pages from a holder of functional permissions alone', () => {
    const auditor = { ...noRights, permissions: ['Auditor'] };
    expect(needs.project.admits(auditor)).toBe(false);
    expect(needs.projectOr('Auditor', 'UserAdmin').admits(auditor)).toBe(true);
  });

  it('gives an Admin every functional permission', () => {
    expect(holds({ ...noRights, isAdmin: true }, 'SecurityAdmin')).toBe(true);
  });

  it('hides the migration pages while data migration is switched off, from an Admin too', () => {
    expect(needs.migrations.admits({ ...noRights, isAdmin: true })).toBe(false);
    expect(needs.migrations.admits({ ...noRights, isAdmin: true, migrationsEnabled: true })).toBe(true);
  });
});
