import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 2.6. */
export const settings = [
  {
    id: 'ID-2.6-01',
    section: '2.6',
    text: '`Svc:UserManagement:SetupToken` fixes the setup token, and a configured token shorter than 32 characters is refused.',
  },
  {
    id: 'ID-2.6-02',
    section: '2.6',
    text: 'The password policy option `MinimumPasswordLength` is an integer that defaults to 8.',
  },
  {
    id: 'ID-2.6-03',
    section: '2.6',
    text: 'The password policy option `RequirePasswordComplexity` is a boolean that defaults to true.',
  },
  {
    id: 'ID-2.6-16',
    section: '2.6',
    text: 'The password policy is configured by the code of the host, and no request changes it.',
  },
  {
    id: 'ID-2.6-04',
    section: '2.6',
    text: '`Svc:UserManagement:LocalLogin:Enabled` set to false turns password sign-in off.',
  },
  {
    id: 'ID-2.6-05',
    section: '2.6',
    text: '`Svc:UserManagement:LocalLogin:BreakGlassUserNames` lists at most three stored user names that may sign in with a password while local login is off.',
  },
  {
    id: 'ID-2.6-06',
    section: '2.6',
    text: 'The OIDC settings are read from the section `Svc:Authentication:Oidc`.',
  },
  {
    id: 'ID-2.6-07',
    section: '2.6',
    text: '`Svc:Authentication:Session:RevalidateMinutes` sets the interval at which a session is checked against the user store, and defaults to 5.',
  },
  {
    id: 'ID-2.6-08',
    section: '2.6',
    text: 'With `Svc:Authentication:Session:RevalidateMinutes` at 0 a session is checked against the user store on every request.',
  },
  {
    id: 'ID-2.6-09',
    section: '2.6',
    text: '`Svc:Authentication:Session:AbsoluteLifetimeHours` sets the greatest age of a session since its sign-in, and defaults to 12.',
  },
  {
    id: 'ID-2.6-10',
    section: '2.6',
    text: '`Svc:ApiKeys:MaxLifetimeDays` sets the greatest lifetime of an API key, and defaults to 365.',
  },
  {
    id: 'ID-2.6-11',
    section: '2.6',
    text: 'With `Svc:ApiKeys:EnforceMaxLifetimeOnExistingKeys` on, keys that have no expiry expire `MaxLifetimeDays` after their creation; it is off by default.',
  },
  {
    id: 'ID-2.6-12',
    section: '2.6',
    text: '`Svc:ApiKeys:MaxOwnerInactivityDays` switches on the rule about inactive key owners, and its default of 0 leaves the rule off.',
  },
  {
    id: 'ID-2.6-13',
    section: '2.6',
    text: '`Svc:Authorization:IdpRoles` maps app roles of the identity provider to functional permissions that are granted at sign-in.',
  },
  {
    id: 'ID-2.6-14',
    section: '2.6',
    text: '`Svc:Authorization:Roles:HonourHostRoleClaims` is a boolean that defaults to false.',
  },
  {
    id: 'ID-2.6-15',
    section: '2.6',
    text: '`Svc:Mcp:Callers` maps the bearer tokens of the MCP endpoint to callers.',
  },
  {
    id: 'ID-2.6-880',
    section: '2.6',
    text: 'A process whose `Svc:Host:Roles` lack `Web` answers no path of the service.',
  },
  {
    id: 'ID-2.6-881',
    section: '2.6',
    text: 'A process whose `Svc:Host:Roles` lack `Worker` runs no job; those that it enqueues run in another process.',
  },
  {
    id: 'ID-2.6-882',
    section: '2.6',
    text: 'A process takes jobs of the queues in `Svc:Jobs:Queues` alone, and of all while the setting is empty.',
  },
  {
    id: 'ID-2.6-883',
    section: '2.6',
    text: 'Routes that may be late are answered from the standby that `Svc:Database:ReadConnectionString` names, while it is less than 5 s late.',
  },
  {
    id: 'ID-2.6-884',
    section: '2.6',
    text: 'A caller who has changed something in the last 5 s is not answered from the standby, by whatever process.',
  },
  {
    id: 'ID-2.6-885',
    section: '2.6',
    text: 'While the standby is away or more than 5 s late, every route is answered from the primary.',
  },
] as const satisfies readonly RequirementEntry[];
