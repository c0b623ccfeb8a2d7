import type { Spoil } from '../hostile-provider.ts';
import { type Attack, claims, userInfo } from './attack.ts';

const by =
  (refusal: Attack['refusal']) =>
  (spoil: Spoil): Attack => ({ spoil, refusal });
const tenant = by('tenant');
const guest = by('guest');
const groupOrRole = by('group-or-role');
const mfa = by('mfa');

/** Sound sign-ins of users who must not be admitted. */
export const admissionAttacks: Record<string, Attack> = {
  'a tenant that comes from the user info alone': tenant(userInfo({ tid: 'tenant-1' }, { tid: undefined })),
  'no tenant at all': tenant(claims({ tid: undefined })),
  'another tenant': tenant(claims({ tid: 'tenant-2' })),
  'the tenant in capitals': tenant(claims({ tid: 'TENANT-1' })),
  'a tenant list': tenant(claims({ tid: ['tenant-1'] })),
  'an empty tenant': tenant(claims({ tid: '' })),
  'a guest': guest(claims({ acct: 1 })),
  'a guest, as a text': guest(claims({ acct: '1' })),
  'a guest, as a list': guest(claims({ acct: [1] })),
  'a guest, as true': guest(claims({ acct: true })),
  'an account of another provider': guest(claims({ idp: 'https://elsewhere.example' })),
  'accounts of several providers': guest((d, { issuer }) => {
    d.claims['idp'] = [issuer];
  }),
  'no group and no role': groupOrRole(claims({ groups: undefined })),
  'other groups': groupOrRole(claims({ groups: ['group-2', 'GROUP-1', ' group-1', 'group-1,group-2'] })),
  'groups by their name as a key': groupOrRole(claims({ groups: { 'group-1': true } })),
  'groups within a list': groupOrRole(claims({ groups: [['group-1']] })),
  'the name of a required group as a role': groupOrRole(claims({ groups: undefined, roles: ['group-1'] })),
  'the name of a required role as a group': groupOrRole(claims({ groups: ['role-1'] })),
  'no second factor': mfa(claims({ amr: ['pwd'] })),
  'no word of the factors': mfa(claims({ amr: undefined })),
  'a second factor in capitals': mfa(claims({ amr: ['MFA'] })),
  'a second factor in the user info alone': mfa(userInfo({ amr: ['mfa'] }, { amr: undefined })),
  'a context class that is not in the list': mfa(claims({ amr: ['pwd'], acr: 'mfa' })),
};
