import { boolean, integer, list, secret, text } from '../setting.ts';

export const identitySettings = {
  'Svc:UserManagement:Enabled': boolean(
    'Users, sign-in and setup of our own. A host that signs people in itself sets it to false.',
    true,
  ),
  'Svc:UserManagement:SetupToken': secret(
    'Fixed token of the first-run setup; at least 32 characters. Without it one is made and printed to the error stream.',
    { lengthMin: 32 },
  ),
  'Svc:UserManagement:Password:MinimumPasswordLength': integer('Shortest password.', {
    default: 8,
    min: 8,
    max: 128,
  }),
  'Svc:UserManagement:Password:RequirePasswordComplexity': boolean(
    'Passwords need an upper-case and a lower-case letter, a digit and another character.',
    true,
  ),
  'Svc:UserManagement:PasswordIterations': integer(
    'PBKDF2-SHA256 iterations of new password hashes; 600000 is recommended.',
    { default: 100_000, min: 100_000, max: 10_000_000 },
  ),
  'Svc:UserManagement:LocalLogin:Enabled': boolean('Sign-in with a password.', true),
  'Svc:UserManagement:LocalLogin:BreakGlassUserNames': list(
    'Stored user names that may sign in with a password while local login is off.',
    { lengthMax: 3 },
  ),
  'Svc:Authentication:Session:RevalidateMinutes': integer(
    'How often a session is checked against the user store; 0 at every request.',
    { default: 5, min: 0, max: 1_440 },
  ),
  'Svc:Authentication:Session:AbsoluteLifetimeHours': integer('Longest life of a session, from sign-in.', {
    default: 12,
    min: 1,
    max: 8_760,
  }),
  'Svc:ApiKeys:MaxLifetimeDays': integer('Longest life of an API key.', {
    default: 365,
    min: 1,
    max: 36_500,
  }),
  'Svc:ApiKeys:EnforceMaxLifetimeOnExistingKeys': boolean(
    'Keys without an expiry end MaxLifetimeDays after they were made.',
    false,
  ),
  'Svc:ApiKeys:MaxOwnerInactivityDays': integer(
    'A key stops once its owner has not signed in for so many days; 0 is off.',
    { default: 0, min: 0, max: 36_500 },
  ),
  'Svc:Authorization:Roles:HonourHostRoleClaims': boolean(
    'Role claims of the host may grant functional permissions.',
    false,
  ),
  'Svc:Authentication:ExternalLogin:LoginUrl': text(
    'Where signed-out people are sent when the host owns sign-in.',
  ),
} as const;
