import { describe, expect, test } from 'vitest';
import { checkUrl } from './destination.ts';
import { deliveryPolicy, identityProviderPolicy, llmPolicy, type OutboundPolicy } from './policy.ts';

const webhook = deliveryPolicy('Webhook', {});
const refusal = (url: string, policy: OutboundPolicy = webhook) => {
  const checked = checkUrl(url, policy);
  return checked.ok ? 'allowed' : checked.refusal;
};

describe('the check of a destination', () => {
  const table: ReadonlyArray<readonly [string, string]> = [
    ['', 'InvalidUrl'],
    ['not a url', 'InvalidUrl'],
    ['https://hooks.example.com/a b', 'InvalidUrl'],
    ['http://hooks.example.com/', 'NotHttps'],
    ['ftp://hooks.example.com/', 'NotHttps'],
    ['https://u@hooks.example.com/', 'UserInfo'],
    ['https://hooks.example.com:25/', 'PortNotAllowed'],
    ['https://127.0.0.1/', 'AddressNotAllowed'],
    ['https://localhost/', 'AddressNotAllowed'],
    [`https://hooks.example.com/${'a'.repeat(4_100)}`, 'TooLong'],
  ];
  for (const [url, expected] of table)
    test(`returns ${expected}: ${url.slice(0, 50)}`, () => expect(refusal(url)).toBe(expected));
});

test('ordinary destinations pass, and the parsed URL retains path and query', () => {
  for (const url of [
    'https://hooks.example.com',
    'https://hooks.example.com/services/T0/B0/x?y=1',
    'HTTPS://Hooks.Example.COM/x',
    'https://hooks.example.com:8443/x',
    'https://1.1.1.1/x',
    'https://[2606:4700::1111]/x',
    'https://bücher.example/x',
    'https://hooks.example.com/a@b?c@d',
  ])
    expect([url, refusal(url)]).toEqual([url, 'allowed']);
  const checked = checkUrl('https://Hooks.example.com/a/%2e%2e/b?c=%20d#e', webhook);
  expect(checked.ok && checked.destination.url.href).toBe('https://hooks.example.com/b?c=%20d');
});

test('a host with the dot of the root at its end is the same host, for every list', () => {
  const checked = checkUrl('https://hooks.example.com./x', webhook);
  expect(checked.ok && [checked.destination.host, checked.destination.url.href]).toEqual([
    'hooks.example.com',
    'https://hooks.example.com/x',
  ]);
  const only = deliveryPolicy('Webhook', { allowedHosts: { WEBHOOK: ['only.example'] } });
  expect(refusal('https://only.example./', only)).toBe('allowed');
  expect(refusal('https://other.example./', only)).toBe('HostNotAllowed');
  for (const host of ['localhost.', '127.0.0.1.', 'metadata.google.internal.'])
    expect([host, refusal(`https://${host}/`)]).toEqual([host, 'AddressNotAllowed']);
  for (const host of ['hooks.example.com..', '.', '..'])
    expect([host, refusal(`https://${host}/`)]).toEqual([host, 'InvalidUrl']);
});

test('the setting extends the built-in hosts', () => {
  const policy = deliveryPolicy('Chat', { allowedHosts: { Chat: ['*.corp.example', 'Other.example'] } }, [
    'hooks.vendor.example',
    '*.api.vendor.example',
  ]);
  for (const host of [
    'hooks.vendor.example',
    'HOOKS.vendor.example',
    'a.api.vendor.example',
    'a.b.api.vendor.example',
    'x.corp.example',
    'other.example',
  ])
    expect([host, refusal(`https://${host}/`, policy)]).toEqual([host, 'allowed']);
  for (const host of [
    'vendor.example',
    'api.vendor.example',
    'xhooks.vendor.example',
    'hooks.vendor.example.evil.example',
    'evilapi.vendor.example',
    'hooks.vendor.example@evil.example',
  ])
    expect([host, refusal(`https://${host}/`, policy)]).not.toEqual([host, 'allowed']);
});

test('without built-in hosts a setting with an entry is the complete list', () => {
  const policy = deliveryPolicy('Webhook', { allowedHosts: { WEBHOOK: ['only.example'] } });
  expect(refusal('https://only.example/', policy)).toBe('allowed');
  expect(refusal('https://hooks.example.com/', policy)).toBe('HostNotAllowed');
});

test('a listed host does not permit a private address', () => {
  const policy = deliveryPolicy('Webhook', { allowedHosts: { Webhook: ['10.0.0.1', '::1'] } });
  expect(refusal('https://10.0.0.1/', policy)).toBe('AddressNotAllowed');
  expect(refusal('https://[::1]/', policy)).toBe('AddressNotAllowed');
  const both = deliveryPolicy('Webhook', {
    allowedHosts: { Webhook: ['::1'] },
    allowedPrivateNetworks: { Webhook: ['::1'] },
  });
  expect(refusal('https://[::1]:8443/', both)).toBe('allowed');
});

test('plain HTTP is allowed only for identity providers on loopback and for hosts that the operator lists', () => {
  for (const url of ['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/'])
    expect([url, refusal(url, identityProviderPolicy())]).toEqual([url, 'allowed']);
  for (const url of ['http://10.0.0.1/', 'http://idp.example/', 'http://localhost.evil.example/'])
    expect([url, refusal(url, identityProviderPolicy())]).toEqual([url, 'NotHttps']);
  expect(refusal('http://llm.internal:11434/', llmPolicy({ trustedHosts: ['llm.internal'] }))).toBe(
    'allowed',
  );
  expect(refusal('http://other.internal:11434/', llmPolicy({ trustedHosts: ['llm.internal'] }))).toBe(
    'NotHttps',
  );
});
