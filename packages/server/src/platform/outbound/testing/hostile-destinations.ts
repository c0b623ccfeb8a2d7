/**
 * Spellings of destinations that a delivery must never reach, from published attacks. `{port}` represents the port
 * of a listener on every interface of this machine.
 */

const forbidden4 = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.0.0.5',
  '100.64.1.1',
  '100.100.100.200',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '192.0.0.192',
  '198.18.0.1',
  '168.63.129.16',
];

const octets = (address: string) => address.split('.').map(Number);
const numberOf = (address: string) => octets(address).reduce((sum, octet) => sum * 256 + octet, 0);
const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, '0');
const fullWidth = (text: string) =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).replaceAll('.', '。');

/** Spellings of one IPv4 address that a URL parser reads as that address. */
const spellings4: ReadonlyArray<(address: string) => string> = [
  (a) => a,
  (a) => String(numberOf(a)),
  (a) => `0x${hex(numberOf(a), 8)}`,
  (a) => `0X${hex(numberOf(a), 8).toUpperCase()}`,
  (a) => `0${numberOf(a).toString(8)}`,
  (a) =>
    octets(a)
      .map((o) => `0x${hex(o)}`)
      .join('.'),
  (a) =>
    octets(a)
      .map((o) => `0${o.toString(8)}`)
      .join('.'),
  (a) =>
    octets(a)
      .map((o) => `0000${o.toString(8)}`)
      .join('.'),
  (a) => `${octets(a)[0]}.${numberOf(a) % 2 ** 24}`,
  (a) => `${octets(a).slice(0, 2).join('.')}.${numberOf(a) % 65_536}`,
  (a) => `0x${hex(octets(a)[0] ?? 0)}.${octets(a)[1]}.0${(octets(a)[2] ?? 0).toString(8)}.${octets(a)[3]}`,
  (a) => fullWidth(a),
  (a) => a.replace(/[0-9]/g, (digit) => `%3${digit}`),
  (a) => a.replaceAll('.', '%2e'),
  (a) => a.replaceAll('.', '．'),
  (a) => `${a}.`,
];

/** Forms that embed one IPv4 address in an IPv6 address. */
const wrappers: ReadonlyArray<(address: string) => string> = [
  (a) => `[::ffff:${a}]`,
  (a) => `[::ffff:${pair(a)}]`,
  (a) => `[0:0:0:0:0:FFFF:${pair(a)}]`,
  (a) => `[::${pair(a)}]`,
  (a) => `[::ffff:0:${pair(a)}]`,
  (a) => `[64:ff9b::${pair(a)}]`,
  (a) => `[64:ff9b:1::${pair(a)}]`,
  (a) => `[2002:${pair(a)}::1]`,
  (a) => `[2001:0:${pair(a)}:0:ffff:f7f7:f7f7]`,
  (a) =>
    `[2001:0:808:808:0:ffff:${pair(
      octets(a)
        .map((o) => o ^ 0xff)
        .join('.'),
    )}]`,
  (a) => `[2400:cb00::5efe:${pair(a)}]`,
  (a) => `[2400:cb00::200:5efe:${pair(a)}]`,
];

function pair(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
}

const literals6 = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::]',
  '[::0.0.0.1]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0:0:0:0:0:254]',
  '[fd20:ce::254]',
  '[fe80::1]',
  '[fe80::a9fe:a9fe]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
  '[8000::1]',
  '[2001::1]',
  '[1::1]',
];

const literals4 = [
  '0.1.2.3',
  '10.255.255.255',
  '100.127.255.255',
  '127.1',
  '127.0.1',
  '127.255.255.255',
  '0x7f.1',
  '0x7f.0x1',
  '0177.1',
  '0177.0.0.1',
  '00000177.1',
  '0',
  '0x0',
  '00',
  '1',
  '169.254.0.1',
  '169.254.170.2',
  '169.254.170.23',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.175.48.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  '①②⑦.⓪.⓪.①',
];

/** URLs with an invalid text, regardless of the host. */
const malformed = [
  '',
  ' ',
  'https://',
  'https:///',
  'https://:{port}/',
  'https:/127.0.0.1:{port}/',
  'https:127.0.0.1:{port}',
  'https:\\\\127.0.0.1:{port}\\',
  'https://127.0.0.1\\@hooks.example.com:{port}/',
  'https://hooks.example.com\\.127.0.0.1:{port}/',
  'https://hooks.example.com@127.0.0.1:{port}/',
  'https://user@hooks.example.com:{port}/',
  'https://user:secret@hooks.example.com:{port}/',
  'https://:secret@hooks.example.com:{port}/',
  'https://@hooks.example.com:{port}/',
  'https://:@hooks.example.com:{port}/',
  'https://hooks.example.com%40127.0.0.1:{port}/',
  'https://127.0.0.1:{port}#@hooks.example.com/',
  'https://127.0.0.1:{port}?@hooks.example.com/',
  'https://127.0.0.1%00.hooks.example.com:{port}/',
  'https://127.0.0.1\t:{port}/',
  'https://127.0.\n0.1:{port}/',
  'https://127.0.0.1\r\nHost: x:{port}/',
  ' https://127.0.0.1:{port}/',
  '\u0000https://127.0.0.1:{port}/',
  'ht\ntps://127.0.0.1:{port}/',
  'http://127.0.0.1:{port}/',
  'http://hooks.example.com:{port}/',
  'HTTP://hooks.example.com:{port}/',
  'http://localhost:{port}/',
  'ftp://127.0.0.1:{port}/',
  'ws://127.0.0.1:{port}/',
  'wss://127.0.0.1:{port}/',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'gopher://127.0.0.1:{port}/_x',
  'dict://127.0.0.1:{port}/x',
  'data:text/plain,x',
  'javascript:alert(1)',
  'blob:https://127.0.0.1:{port}/x',
  'unix:/var/run/docker.sock',
  'https+unix://%2Fvar%2Frun%2Fdocker.sock/x',
  '//127.0.0.1:{port}/',
  '127.0.0.1:{port}',
  'hooks.example.com',
  'https://[::1',
  'https://::1:{port}/',
  'https://[fe80::1%25lo]:{port}/',
  'https://[fe80::1%lo]:{port}/',
  'https://[::1]hooks.example.com:{port}/',
  'https://[127.0.0.1]:{port}/',
  'https://256.256.256.256:{port}/',
  'https://127.0.0.0x1ff:{port}/',
  'https://1.2.3.4.5:{port}/',
  'https://hooks..example.com:{port}/',
  'https://hooks.example.com..:{port}/',
  'https://hooks example.com:{port}/',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:25/',
  'https://hooks.example.com:3306/',
  'https://hooks.example.com:5432/',
  'https://hooks.example.com:6379/',
  'https://hooks.example.com:11211/',
  'https://hooks.example.com:65536/',
  'https://hooks.example.com:99999999999/',
  'https://hooks.example.com:-1/',
  `https://hooks.example.com:{port}/${'a'.repeat(4_096)}`,
  'https://metadata.google.internal:{port}/computeMetadata/v1/',
  'https://METADATA.google.internal:{port}/',
  'https://metadata:{port}/',
];

const localNames = [
  'localhost',
  'LOCALHOST',
  'LocalHost',
  'localhost.',
  'x.localhost',
  'ⓛocalhost',
  'local%68ost',
];

/** Resolution of hostile names: name → addresses. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'compatible.test': ['::7f00:1'],
  'translated.test': ['::ffff:0:7f00:1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'nat64-local.test': ['64:ff9b:1::7f00:1'],
  'sixtofour.test': ['2002:7f00:1::1'],
  'teredo.test': ['2001:0:7f00:1::1'],
  'isatap.test': ['2400:cb00::5efe:7f00:1'],
  'zone.test': ['fe80::1%lo'],
  'unspecified.test': ['0.0.0.0'],
  'unspecified6.test': ['::'],
  'private-a.test': ['10.1.2.3'],
  'private-b.test': ['172.20.0.1'],
  'private-c.test': ['192.168.7.7'],
  'carrier.test': ['100.64.0.1'],
  'unique-local.test': ['fd00::1'],
  'site-local.test': ['fec0::1'],
  'multicast.test': ['224.0.0.251'],
  'broadcast.test': ['255.255.255.255'],
  'metadata-a.test': ['169.254.169.254'],
  'metadata-b.test': ['fd00:ec2::254'],
  'metadata-c.test': ['100.100.100.200'],
  'metadata-d.test': ['192.0.0.192'],
  'metadata-e.test': ['168.63.129.16'],
  'mixed-last.test': ['93.184.216.34', '127.0.0.1'],
  'mixed-first.test': ['127.0.0.1', '93.184.216.34'],
  'mixed-families.test': ['93.184.216.34', '2606:2800:220:1::1', '::1'],
  'mixed-private.test': ['93.184.216.34', '10.0.0.1'],
  'not-an-address.test': ['127.0.0.1.evil'],
  'octal.test': ['0177.0.0.1'],
  'decimal.test': ['2130706433'],
};

export const hostileDestinations: readonly string[] = [
  ...malformed,
  ...[
    ...forbidden4.flatMap((address) => spellings4.map((spell) => spell(address))),
    ...forbidden4.flatMap((address) => wrappers.map((wrap) => wrap(address))),
    ...literals4,
    ...literals6,
    ...localNames,
    ...Object.keys(hostileNames),
  ].map((host) => `https://${host}:{port}/hook`),
];
