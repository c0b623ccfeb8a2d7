import { type Attack, claims, claimsNow, numberAs, refused, userInfo } from './attack.ts';

const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 86_400;
const now = () => Math.floor(Date.now() / 1_000);

/** Attacks on the times of the ID token. */
const timeAttacks: Record<string, Attack> = {
  'an expired token': refused(
    claimsNow(() => ({ exp: now() - minuteSeconds })),
    /"exp" .*expiration is past/,
  ),
  'no expiry': refused(claims({ exp: undefined }), /"exp" .*claim missing/),
  'an expiry that is a text': refused(
    claimsNow(() => ({ exp: String(now() + hourSeconds) })),
    /"exp" .*claim type/,
  ),
  'an expiry that is null': refused(claims({ exp: null }), /"exp" .*claim type/),
  'an expiry that never comes': refused(numberAs('exp', '1e999'), /"exp" is no time/),
  'an expiry beyond the year 9999': refused(claims({ exp: 253_402_300_800 }), /"exp" is no time/),
  'an expiry that is no whole second': refused(
    claimsNow(() => ({ exp: now() + hourSeconds + 0.5 })),
    /"exp" is no time/,
  ),
  'an expiry that is no safe integer': refused(numberAs('exp', '9007199254740993'), /"exp" is no time/),
  'a token that is not valid yet': refused(
    claimsNow(() => ({ nbf: now() + hourSeconds })),
    /"nbf" .*claim value/,
  ),
  'a start that is a text': refused(claims({ nbf: '0' }), /"nbf" .*claim type/),
  'a start before all time': refused(numberAs('nbf', '-1e999'), /"nbf" is no time/),
  'a start before 1970': refused(claims({ nbf: -1 }), /"nbf" is no time/),
  'a start that is no whole second': refused(claims({ nbf: 0.5 }), /"nbf" is no time/),
  'no issue time': refused(claims({ iat: undefined }), /"iat" .*claim missing/),
  'an issue time that is a text': refused(
    claimsNow(() => ({ iat: String(now()) })),
    /"iat" .*claim type/,
  ),
  'an issue time without end': refused(numberAs('iat', '1e999'), /"iat" is no time/),
  'an issue time that is no whole second': refused(
    claimsNow(() => ({ iat: now() - 0.5 })),
    /"iat" is no time/,
  ),
  'an issue time a day ahead': refused(
    claimsNow(() => ({ iat: now() + daySeconds })),
    /"iat" is ahead of the clock/,
  ),
  'an issue time beyond the clock skew': refused(
    claimsNow(() => ({ iat: now() + 6 * minuteSeconds })),
    /"iat" is ahead of the clock/,
  ),
  'an issue time a day ago': refused(
    claimsNow(() => ({ iat: now() - daySeconds })),
    /"iat" is too far in the past/,
  ),
};

/** Attacks on the subject of the ID token. */
const subjectAttacks: Record<string, Attack> = {
  'no subject': refused(claims({ sub: undefined }), /"sub" .*claim missing/),
  'an empty subject': refused(claims({ sub: '' }), /name of the user is empty/),
  'a subject of blanks': refused(claims({ sub: ' \u00a0' }), /name of the user is empty/),
  'a subject of 256 characters': refused(claims({ sub: 'v'.repeat(256) }), /"sub" is too long/),
  'a subject with NUL': refused(claims({ sub: 'victim\u0000' }), /name of the user has control characters/),
  'a subject with a line break': refused(
    claims({ sub: 'victim\nadmin' }),
    /name of the user has control characters/,
  ),
  'a subject with a control character of the second set': refused(
    claims({ sub: 'victim\u0085' }),
    /name of the user has control characters/,
  ),
  'a subject that is a number': refused(claims({ sub: 1 }), /"sub" .*claim type/),
  'a subject that is a list': refused(claims({ sub: ['victim'] }), /"sub" .*claim type/),
  'a subject that is null': refused(claims({ sub: null }), /"sub" .*claim type/),
  'a name with NUL': refused(claims({ name: 'Victim\u0000' }), /a claim holds a character/),
  'a group with half of a surrogate pair': refused(
    claims({ groups: ['staff', '\ud800'] }),
    /a claim holds a character/,
  ),
  'user info with NUL': refused(userInfo({ name: 'Victim\u0000' }), /a claim holds a character/),
  'user info of somebody else': refused(userInfo({ sub: 'attacker' }), /unexpected "response" body "sub"/),
  'user info without a subject': refused(
    userInfo({ sub: undefined }),
    /body "sub" property must be a string/,
  ),
};

/** Attacks on the claims of the ID token. */
export const claimAttacks: Record<string, Attack> = {
  ...timeAttacks,
  ...subjectAttacks,
  'another issuer': refused(claims({ iss: 'https://evil.example' }), /"iss" .*claim value/),
  'the issuer with a slash': refused((d, { issuer }) => {
    d.claims['iss'] = `${issuer}/`;
  }, /"iss" .*claim value/),
  'no issuer': refused(claims({ iss: undefined }), /"iss" .*claim missing/),
  'another audience': refused(claims({ aud: 'another-client' }), /"aud" .*claim value/),
  'no audience': refused(claims({ aud: undefined }), /"aud" .*claim missing/),
  'an empty audience list': refused(claims({ aud: [] }), /"aud" .*claim value/),
  'an audience list without us': refused(claims({ aud: ['a', 'b'], azp: 'svc' }), /"aud" .*claim value/),
  'several audiences and another authorized party': refused(
    claims({ aud: ['svc', 'other'], azp: 'other' }),
    /"azp" .*claim value/,
  ),
  'several audiences and no authorized party': refused(
    claims({ aud: ['svc', 'other'] }),
    /untrusted audiences/,
  ),
  'another nonce': refused(claims({ nonce: 'n' }), /"nonce" claim value/),
  'no nonce': refused(claims({ nonce: undefined }), /"nonce" .*claim missing/),
};
