import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { createDestinationRules, type RecipientDraft } from './destination-rules.ts';
import { readSendSettings } from './settings.ts';

const outbound = createOutbound({
  resolve: async (host) => {
    if (host.startsWith('private')) return ['10.0.0.1'];
    if (host.startsWith('nowhere')) throw new Error('ENOTFOUND');
    return ['93.184.216.34'];
  },
});

function rulesOf(values: Record<string, unknown> = {}, hasEmailAdapter = true) {
  const named = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`Svc:Notifications:${key}`, value]),
  );
  return createDestinationRules(readSendSettings(loadConfig({ env: {}, values: named }).config), outbound, {
    hasEmailAdapter,
  });
}

async function check(
  draft: Partial<RecipientDraft>,
  values: Record<string, unknown> = {},
  hasEmailAdapter = true,
) {
  const full = {
    type: 'Webhook',
    destination: 'https://hooks.example.com/x',
    customHeaders: {},
    ...draft,
  } as const;
  const result = await rulesOf(values, hasEmailAdapter).checkDraft(full);
  return result.ok ? 'ok' : `${result.field}: ${result.message}`;
}

describe('the check of a destination before it is saved', () => {
  test('accepts the vendor’s hosts and the hosts in the setting for vendor channels', async () => {
    const accepted = [
      ['ChatBlocks', 'https://hooks.slack.com/services/T0/B0/x'],
      [
        'ChatCards',
        'https://prod-1.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?sig=s',
      ],
      [
        'ChatCards',
        'https://default1.05.environment.api.powerplatform.com/powerautomate/automations/direct/x',
      ],
      ['ChatCards', 'https://acme.webhook.office.com/webhookb2/x'],
      ['IssueTracker', 'acme;OPS;bot@example.com;t0ken'],
      ['IssueTracker', 'https://api.atlassian.com/ex/jira/11-22;OPS;bot@example.com;t0ken'],
      ['Email', 'ada@example.com'],
      ['Webhook', 'https://hooks.example.com:8443/x'],
    ] as const;
    for (const [type, destination] of accepted)
      expect([destination, await check({ type, destination })]).toEqual([destination, 'ok']);
    const refused = [
      ['ChatBlocks', 'https://hooks.example.com/x'],
      ['ChatBlocks', 'https://hooks.slack.com.evil.example/x'],
      ['ChatBlocks', 'https://hooks.slack.com@evil.example/x'],
      ['ChatCards', 'https://outlook.office.com/webhook/x'],
      ['ChatCards', 'https://outlook.office365.com/webhook/x'],
      ['ChatCards', 'https://logic.azure.com/x'],
      ['IssueTracker', 'https://tracker.corp.example;OPS;bot@example.com;t0ken'],
    ] as const;
    for (const [type, destination] of refused)
      expect([destination, await check({ type, destination })]).toEqual([
        destination,
        expect.stringMatching(/^destination: (The host is not among|The URL must not contain a user name)/),
      ]);
    const values = { 'AllowedHosts:ChatBlocks': ['chat.corp.example'] };
    expect(await check({ type: 'ChatBlocks', destination: 'https://chat.corp.example/x' }, values)).toBe(
      'ok',
    );
  });

  test('accepts an on-premises tracker only if its host and its network are allowed', async () => {
    const draft = {
      type: 'IssueTracker',
      destination: 'https://private.corp.example;OPS;bot@example.com;t',
    } as const;
    const host = { 'AllowedHosts:IssueTracker': ['private.corp.example'] };
    const network = { 'AllowedPrivateNetworks:IssueTracker': ['10.0.0.0/8'] };
    expect(await check(draft)).toMatch(/The host is not among/);
    expect(await check(draft, host)).toMatch(/private, loopback/);
    expect(await check(draft, network)).toMatch(/The host is not among/);
    expect(await check(draft, { ...host, ...network })).toBe('ok');
  });

  test('names the field and the reason of each refusal', async () => {
    const table: [Partial<RecipientDraft>, RegExp][] = [
      [{ destination: '' }, /^destination: The destination is missing/],
      [{ destination: 'http://hooks.example.com/' }, /^destination: The URL must begin with https/],
      [{ destination: 'https://u:p@hooks.example.com/' }, /^destination: .*user name or password/],
      [{ destination: 'https://private.example.com/' }, /^destination: .*private, loopback/],
      [{ destination: 'https://127.0.0.1/' }, /^destination: .*private, loopback/],
      [{ type: 'Email', destination: 'Ada <ada@example.com>' }, /^destination: .*display name/],
      [{ customHeaders: { Cookie: 'x' } }, /^customHeaders: The header "Cookie" .*never allowed/],
      [{ customHeaders: { 'X-Team': 'x' } }, /^customHeaders: The header "X-Team" is not among/],
      [
        { type: 'Email', destination: 'a@b.c', customHeaders: { 'X-Api-Key': 'x' } },
        /^customHeaders: Only webhooks/,
      ],
      [{ bodyTemplate: 'x'.repeat(70_000) }, /^bodyTemplate: .*longer/],
      [{ type: 'Email', destination: 'a@b.c', bodyTemplate: 'x' }, /^bodyTemplate: Only webhooks and chats/],
    ];
    for (const [draft, reason] of table) expect(await check(draft)).toMatch(reason);
    expect(await check({}, { DisabledTypes: ['webhook'] })).toMatch(
      /^notificationType: The channel is turned off/,
    );
    expect(await check({ type: 'Email', destination: 'a@b.c' }, {}, false)).toMatch(
      /^notificationType: .*adapter/,
    );
    expect(await check({ type: 'Email', destination: 'a@b.c' }, { 'AllowedHosts:Email': ['x.y'] })).toMatch(
      /^destination: The domain/,
    );
    expect(await check({ customHeaders: { 'X-Team': 'x' } }, { AllowedHeaders: ['X-Team'] })).toBe('ok');
  });

  test('warns of an unknown placeholder and an unresolvable host, without a refusal', async () => {
    const result = await rulesOf().checkDraft({
      type: 'Webhook',
      destination: 'https://nowhere.example.com/',
      customHeaders: {},
      bodyTemplate: '{{Foo}} {{Source}}',
    });
    expect(result).toEqual({
      ok: true,
      warnings: [
        { field: 'bodyTemplate', message: 'Unknown placeholders: Foo.' },
        { field: 'destination', message: expect.stringMatching(/could not be resolved/) },
      ],
    });
  });
});

test('an invalid notification setting is named', () => {
  expect(() => rulesOf({ DisabledTypes: ['Fax'] })).toThrow(
    /^Svc:Notifications:DisabledTypes: "Fax" is no channel/,
  );
  expect(() => rulesOf({ 'AllowedHosts:Webhook': ['https://x'] })).toThrow(/AllowedHosts:Webhook: /);
  expect(() => rulesOf({ 'AllowedPrivateNetworks:Webhook': ['x'] })).toThrow(
    /AllowedPrivateNetworks:Webhook: /,
  );
});
