import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddressClass, classifyAddress, isInNetworks, parseNetwork } from './address.ts';
import {
  allowsAddress,
  dataSourcePolicy,
  deliveryPolicy,
  identityProviderPolicy,
  llmPolicy,
} from './policy.ts';

const table: ReadonlyArray<readonly [AddressClass, readonly string[]]> = [
  [
    'Public',
    [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '172.15.0.1',
      '172.32.0.1',
      '100.63.255.255',
      '192.0.1.1',
      '223.255.255.255',
    ],
  ],
  [
    'Public',
    [
      '2606:4700::1',
      '2a00:1450::1',
      '2400:cb00::1',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
      '2400:cb00::5efe:808:808',
    ],
  ],
  [
    'Private',
    [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '100.64.0.1',
      'fc00::1',
      'fd00::1',
      'fec0::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
    ],
  ],
  ['Loopback', ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1']],
  ['LinkLocal', ['169.254.1.1', 'fe80::1', 'febf::1']],
  ['Undialable', ['0.0.0.0', '0.1.2.3', '::', '224.0.0.1', '255.255.255.255', 'ff02::1', '::ffff:0.0.0.0']],
  [
    'Metadata',
    [
      '169.254.169.254',
      'fd00:ec2::254',
      '100.100.100.200',
      '192.0.0.192',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '::a9fe:a9fe',
      '::ffff:0:a9fe:a9fe',
      '64:ff9b:1:a9fe:a9:fe00::',
    ],
  ],
  [
    'Reserved',
    [
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '203.0.113.9',
      '240.0.0.1',
      '2001:db8::1',
      '2002:808:808::1',
      '2001:0:808:808::1',
      '3fff::1',
      '5f00::1',
      '4000::1',
      '::808:808',
      '2400:cb00::5efe:a00:1',
      '64:ff9b:1::808:808',
    ],
  ],
];

describe('classes of addresses', () => {
  for (const [name, addresses] of table)
    test(`${addresses[0]} and similar addresses are ${name}`, () => {
      for (const address of addresses)
        expect([address, classifyAddress(address)?.class]).toEqual([address, name]);
    });

  const octet = fc.integer({ min: 0, max: 255 });
  const address4 = fc.tuple(octet, octet, octet, octet);
  const pairs = ([a, b, c, d]: readonly number[]) =>
    `${(((a ?? 0) << 8) | (b ?? 0)).toString(16)}:${(((c ?? 0) << 8) | (d ?? 0)).toString(16)}`;

  test('no wrapper makes a non-public IPv4 address public or permits a metadata service', () => {
    fc.assert(
      fc.property(address4, (octets) => {
        const inner = classifyAddress(octets.join('.'))?.class;
        const inverted = octets.map((value) => value ^ 0xff);
        const spellings = [
          `::ffff:${pairs(octets)}`,
          `::${pairs(octets)}`,
          `::ffff:0:${pairs(octets)}`,
          `64:ff9b::${pairs(octets)}`,
          `64:ff9b:1::${pairs(octets)}`,
          `2002:${pairs(octets)}::1`,
          `2001:0:${pairs(octets)}::1`,
          `2001:0:808:808:0:0:${pairs(inverted)}`,
          `2400:cb00::5efe:${pairs(octets)}`,
        ];
        for (const spelling of spellings) {
          const outer = classifyAddress(spelling)?.class;
          if (inner !== 'Public') expect([spelling, outer]).not.toEqual([spelling, 'Public']);
          if (inner === 'Metadata') expect([spelling, outer]).toEqual([spelling, 'Metadata']);
        }
      }),
      {
        examples: [
          [[127, 0, 0, 1]],
          [[10, 0, 0, 1]],
          [[169, 254, 169, 254]],
          [[100, 100, 100, 200]],
          [[0, 0, 0, 0]],
        ],
      },
    );
  });

  test('outside 2000::/3 no IPv6 address is public, except spellings of IPv4 addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (parts) => {
        const [first = 0] = parts;
        if (first >= 0x2000 && first < 0x4000) return;
        const text = parts.map((part) => part.toString(16)).join(':');
        expect(classifyAddress(text)?.class).not.toBe('Public');
      }),
    );
  });

  test('a text that is not a canonical address has no class', () => {
    for (const text of [
      '',
      'localhost',
      '127.1',
      '0177.0.0.1',
      '2130706433',
      '[::1]',
      'fe80::1%eth0',
      '1.2.3.4 ',
    ])
      expect(classifyAddress(text)).toBeUndefined();
  });
});

describe('networks', () => {
  test('a network is parsed from CIDR notation or a single address', () => {
    const networks = ['10.1.0.0/16', '127.0.0.1', 'fd12::/32', '::1'].map(parseNetwork);
    for (const [address, isInside] of [
      ['10.1.255.255', true],
      ['10.2.0.0', false],
      ['::ffff:10.1.2.3', true],
      ['127.0.0.1', true],
      ['127.0.0.2', false],
      ['fd12:0:1::9', true],
      ['fd13::9', false],
      ['::1', true],
    ] as const) {
      const classified = classifyAddress(address);
      expect([address, classified && isInNetworks(classified, networks)]).toEqual([address, isInside]);
    }
  });

  test('an invalid text of a network is refused', () => {
    for (const text of [
      '',
      'x',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      'fd00::/129',
      '10.0/8',
      'fe80::1%eth0/64',
    ])
      expect(() => parseNetwork(text)).toThrow(RangeError);
  });
});

describe('outbound policies', () => {
  const allows = (policy: Parameters<typeof allowsAddress>[0], host: string, address: string) => {
    const classified = classifyAddress(address);
    return classified !== undefined && allowsAddress(policy, host, classified);
  };
  const everything = ['0.0.0.0/0', '::/0'];

  test('allowed networks permit their private, loopback and link-local addresses and no others', () => {
    const policy = deliveryPolicy('Webhook', {
      allowedPrivateNetworks: { webhook: ['10.0.0.0/8', '127.0.0.0/8', '169.254.1.0/24', 'fd00::/8'] },
    });
    for (const address of ['10.9.9.9', '127.0.0.1', '169.254.1.7', 'fd00::5', '8.8.8.8'])
      expect([address, allows(policy, 'h', address)]).toEqual([address, true]);
    for (const address of ['192.168.0.1', '::1', '169.254.2.7', 'fd00:ec2::254'])
      expect([address, allows(policy, 'h', address)]).toEqual([address, false]);
    expect(allows(deliveryPolicy('ChatBlocks', {}), 'h', '10.9.9.9')).toBe(false);
  });

  test('no setting and no purpose permits metadata services or addresses that cannot be assigned', () => {
    const open = deliveryPolicy('Webhook', { allowedPrivateNetworks: { Webhook: everything } });
    const policies = [open, identityProviderPolicy(), dataSourcePolicy(), llmPolicy({ trustedHosts: ['h'] })];
    for (const policy of policies)
      for (const address of [
        '169.254.169.254',
        'fd00:ec2::254',
        '100.100.100.200',
        '192.0.0.192',
        '::ffff:100.100.100.200',
        '64:ff9b::a9fe:a9fe',
        '2002:a9fe:a9fe::',
        '0.0.0.0',
        '::',
        '224.0.0.1',
        'ff02::1',
      ])
        expect([policy.name, address, allows(policy, 'h', address)]).toEqual([policy.name, address, false]);
  });

  test('identity providers and data sources can be private, and LLM endpoints only if the operator lists them', () => {
    for (const address of ['10.0.0.1', '127.0.0.1', 'fd00::1']) {
      expect(allows(identityProviderPolicy(), 'idp', address)).toBe(true);
      expect(allows(dataSourcePolicy(), 'db', address)).toBe(true);
      expect(allows(llmPolicy(), 'llm', address)).toBe(false);
      expect(allows(llmPolicy({ trustedHosts: ['llm'] }), 'llm', address)).toBe(true);
      expect(allows(llmPolicy({ trustedHosts: ['llm'] }), 'other', address)).toBe(false);
    }
  });

  test('an invalid entry in the settings is refused with the name of its setting', () => {
    expect(() => deliveryPolicy('Webhook', { allowedPrivateNetworks: { Webhook: ['10.0.0.0/99'] } })).toThrow(
      /^AllowedPrivateNetworks:Webhook: "10\.0\.0\.0\/99" is no network/,
    );
    for (const host of [
      '',
      'https://x.example.com',
      'a b',
      'x.example.com/path',
      'x.example.com:8443',
      'u@x',
      '*',
      '*.',
      'a.*.b',
      '*.[::1]',
    ])
      expect(() => deliveryPolicy('Webhook', { allowedHosts: { Webhook: [host] } })).toThrow(
        /^AllowedHosts:Webhook: /,
      );
  });
});
