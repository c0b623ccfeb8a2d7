import { notificationTypes } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import {
  connectionUrlOf,
  hasSameTarget,
  maskDestination,
  parseDestination,
  reviewParts,
} from './destination.ts';
import { mask } from './mask.ts';

const chat = 'https://hooks.slack.com/services/T000/B000/XXXX';
const card =
  'https://prod-1.westeurope.logic.azure.com:443/workflows/abc/triggers/manual/paths/invoke?api-version=2016&sig=S3CRET';
const webhook = 'https://hooks.example.com:8443/a/b%20c?token=s3cret&flag&x=1#part';
const tracker = 'acme;OPS;bot@example.com;t0ken';

describe('email addresses', () => {
  test('accepts an address without a display name and converts its domain to lower case', () => {
    for (const [text, address] of [
      ['ada@example.com', 'ada@example.com'],
      [' ada@Example.COM ', 'ada@example.com'],
      ['a.b+c@x-y.example.co.uk', 'a.b+c@x-y.example.co.uk'],
      ["o'neil@example.com", "o'neil@example.com"],
      ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
      ['ада@example.com', 'ада@example.com'],
      ['root@localhost', 'root@localhost'],
    ] as const)
      expect(parseDestination('Email', text)).toMatchObject({ ok: true, value: { address } });
  });

  test('refuses any other text, with a special message for a display name', () => {
    for (const text of [
      'Ada <ada@example.com>',
      '"Ada" ada@example.com',
      '<ada@example.com>',
      'a@b.c,d@e.f',
      'a@b.c;d@e.f',
      'a@b.c d@e.f',
      'a@b.c\r\nBcc: d@e.f',
      'ada(x)@example.com',
      'mailto:a@b.c',
    ])
      expect(parseDestination('Email', text)).toMatchObject({
        ok: false,
        message: expect.stringMatching(/display name/),
      });
    for (const text of [
      '',
      'ada',
      '@example.com',
      'ada@',
      'a@@b.c',
      '.a@b.c',
      'a.@b.c',
      'a..b@c.d',
      'a@-b.c',
      'a@b..c',
      'a@[1.2.3.4]',
      'a@b_c.d',
      'a\\b@c.d',
      `${'a'.repeat(65)}@b.c`,
      `a@${'b'.repeat(254)}.c`,
      'a@b.c\u0000',
    ])
      expect([text, parseDestination('Email', text).ok]).toEqual([text, false]);
  });
});

describe('issue trackers', () => {
  test('the site may be a bare name, a URL or a gateway URL with a cloud id', () => {
    for (const [site, baseUrl] of [
      ['acme', 'https://acme.atlassian.net'],
      ['ACME', 'https://acme.atlassian.net'],
      ['acme.atlassian.net', 'https://acme.atlassian.net'],
      ['https://acme.atlassian.net', 'https://acme.atlassian.net'],
      ['https://acme.atlassian.net/', 'https://acme.atlassian.net'],
      ['https://tracker.corp.example/context/', 'https://tracker.corp.example/context'],
      [
        'https://api.atlassian.com/ex/jira/11111111-2222-3333-4444-555555555555',
        'https://api.atlassian.com/ex/jira/11111111-2222-3333-4444-555555555555',
      ],
    ] as const) {
      const parsed = parseDestination('IssueTracker', `${site};ops;bot@example.com;t0ken`);
      expect(parsed).toMatchObject({
        ok: true,
        value: { baseUrl, projectKey: 'OPS', accountEmail: 'bot@example.com', apiToken: 't0ken' },
      });
    }
  });

  test('refuses an invalid destination with the reason', () => {
    for (const [text, reason] of [
      ['acme;OPS;bot@example.com', /four parts/],
      ['acme;OPS;bot@example.com;', /four parts/],
      [';OPS;bot@example.com;t', /four parts/],
      ['acme;1OPS;bot@example.com;t', /project key/],
      ['acme;O"P;bot@example.com;t', /project key/],
      ['acme;OPS;Bot <bot@example.com>;t', /account/],
      ['acme;OPS;bot@example.com;a b', /API token/],
      ['acme;OPS;bot@example.com;a\u0000b', /API token/],
      ['ac me;OPS;bot@example.com;t', /site/],
      ['https://u:p@acme.atlassian.net;OPS;bot@example.com;t', /user name or password/],
      ['https://@acme.atlassian.net;OPS;bot@example.com;t', /user name or password/],
      ['https://acme.atlassian.net/browse;OPS;bot@example.com;t', /no path/],
      ['https://acme.atlassian.net?x=1;OPS;bot@example.com;t', /no query/],
      ['https://api.atlassian.com;OPS;bot@example.com;t', /cloud id/],
      ['https://api.atlassian.com/ex/jira/../../x;OPS;bot@example.com;t', /cloud id/],
    ] as const) {
      const parsed = parseDestination('IssueTracker', text);
      expect([text, !parsed.ok && parsed.message]).toEqual([text, expect.stringMatching(reason)]);
    }
  });
});

describe('URLs', () => {
  test('accepts a URL unchanged, and refuses any other text without repeating it', () => {
    for (const type of ['ChatBlocks', 'ChatCards', 'Webhook'] as const) {
      expect(parseDestination(type, ` ${chat} `)).toEqual({ ok: true, value: { type, url: chat } });
      for (const text of ['', 's3cret', 'https:/x', '//hooks.example.com', 'https://[', 'mailto:a@b.c']) {
        const parsed = parseDestination(type, text);
        expect(parsed.ok).toBe(false);
        expect(JSON.stringify(parsed)).not.toContain('s3cret');
      }
    }
  });

  test('returns the connection URL of a webhook and an issue tracker, and none for email', () => {
    const urlOf = (type: (typeof notificationTypes)[number], text: string) => {
      const parsed = parseDestination(type, text);
      return parsed.ok ? connectionUrlOf(parsed.value) : 'refused';
    };
    expect(urlOf('Webhook', webhook)).toBe(webhook);
    expect(urlOf('IssueTracker', tracker)).toBe('https://acme.atlassian.net');
    expect(urlOf('Email', 'a@b.c')).toBeUndefined();
  });
});

describe('masking', () => {
  test('shows administrators a destination without its secrets', () => {
    expect(maskDestination('Webhook', webhook)).toBe(`https://hooks.example.com:8443/${mask}`);
    expect(maskDestination('ChatBlocks', chat)).toBe(`https://hooks.slack.com/${mask}`);
    expect(maskDestination('ChatCards', card)).toBe(`https://prod-1.westeurope.logic.azure.com/${mask}`);
    expect(maskDestination('IssueTracker', tracker)).toBe(`acme;OPS;bot@example.com;${mask}`);
    expect(maskDestination('Email', 'ada@example.com')).toBe(`a${mask}@example.com`);
  });

  test('masks all of a stored text that cannot be parsed', () => {
    for (const type of notificationTypes) {
      expect(maskDestination(type, 's3cret')).toBe(mask);
      expect(maskDestination(type, 'x-y://s3cret/s3cret')).toBe(mask);
      expect(reviewParts(type, 's3cret')).toEqual([{ label: 'Destination', value: mask }]);
    }
  });
});

describe('destination details for reviewers', () => {
  const shown = (...parts: Parameters<typeof reviewParts>) =>
    Object.fromEntries(reviewParts(...parts).map(({ label, value }) => [label, value]));

  test('show scheme, host and port of a webhook, and mask path segments, query values, user info and fragment', () => {
    expect(shown('Webhook', webhook)).toEqual({
      Scheme: 'https',
      Host: 'hooks.example.com',
      Port: '8443',
      Path: `/${mask}/${mask}`,
      Query: `token=${mask}&${mask}&x=${mask}`,
      Fragment: mask,
    });
    expect(shown('Webhook', 'https://u:p@hooks.example.com')).toEqual({
      Scheme: 'https',
      Host: 'hooks.example.com',
      Port: '443',
      'User info': mask,
      Path: '/',
    });
  });

  test('show the path parts of a chat URL that all URLs of the vendor have in common', () => {
    expect(shown('ChatBlocks', chat)).toEqual({
      Scheme: 'https',
      Host: 'hooks.slack.com',
      Port: '443',
      Path: `/services/${mask}/${mask}/${mask}`,
    });
    expect(shown('ChatCards', card)['Path']).toBe(`/workflows/${mask}/triggers/manual/paths/invoke`);
    expect(JSON.stringify(shown('ChatCards', card))).not.toContain('S3CRET');
  });

  test('show an email address unmasked, and site, project and account of an issue tracker', () => {
    expect(shown('Email', 'ada@example.com')).toEqual({ Address: 'ada@example.com' });
    expect(shown('IssueTracker', tracker)).toEqual({
      Site: 'acme',
      Project: 'OPS',
      Account: 'bot@example.com',
    });
  });
});

test('two destinations have the same target when scheme, host and port are equal', () => {
  expect(hasSameTarget('Webhook', webhook, 'https://HOOKS.example.com:8443/other')).toBe(true);
  expect(hasSameTarget('Webhook', webhook, 'https://hooks.example.com/a/b')).toBe(false);
  expect(hasSameTarget('IssueTracker', tracker, 'https://acme.atlassian.net;X;a@b.c;y')).toBe(true);
  expect(hasSameTarget('Webhook', 'x', 'x')).toBe(false);
});
