import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Permanently removes this process's right to write files, by Landlock. An ordinary user may do this, and it binds
 * root too. Node loads this file before the program (`--require`), while only the main thread is active. Threads
 * inherit the restriction from the thread that starts them.
 *
 * The process may write below one folder, the last argument. It may not run programs or open TCP connections. A
 * kernel without Landlock (before 5.13, switched off, another system) restricts nothing. The program measures the
 * result and reports it: a failure here is not an error.
 */
function confine(writableFolder: string): void {
  if (hasPool()) return;
  const koffi: Koffi = createRequire(import.meta.url)('koffi');
  const kernel = koffi.load(null);
  const createRuleset = kernel.func(
    'long syscall(long number, const void *attributes, size_t size, uint32 flags)',
  );
  const addRule = kernel.func(
    'long syscall(long number, int ruleset, int type, const void *rule, uint32 flags)',
  );
  const restrictSelf = kernel.func('long syscall(long number, int ruleset, uint32 flags)');
  const prctl = kernel.func('int prctl(int option, ulong a, ulong b, ulong c, ulong d)');

  const version = Number(createRuleset(numbers.createRuleset, null, 0, versionFlag));
  if (version < 1) return;
  const files = fileRights(version);
  const attributes = Buffer.alloc(version >= networkVersion ? 16 : 8);
  attributes.writeBigUInt64LE(files, 0);
  if (version >= networkVersion) attributes.writeBigUInt64LE(bindTcp | connectTcp, 8);
  const ruleset = Number(createRuleset(numbers.createRuleset, attributes, attributes.length, 0));
  const folder = openSync(writableFolder, constants.O_RDONLY | constants.O_DIRECTORY);
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(files & ~right('execute'), 0);
  rule.writeInt32LE(folder, 8);
  addRule(numbers.addRule, ruleset, ruleBeneathPath, rule, 0);
  prctl(setNoNewPrivileges, 1, 0, 0, 0);
  restrictSelf(numbers.restrictSelf, ruleset, 0);
  closeSync(folder);
  if (ruleset >= 0) closeSync(ruleset);
}

/** Members of the library that are used. */
type Koffi = {
  readonly load: (library: null) => {
    readonly func: (prototype: string) => (...values: unknown[]) => unknown;
  };
};

/** System calls since Landlock have the same numbers on all architectures. */
const numbers = { createRuleset: 444, addRule: 445, restrictSelf: 446 };
const versionFlag = 1;
const ruleBeneathPath = 1;
const setNoNewPrivileges = 38;
const networkVersion = 4;
const bindTcp = 1n;
const connectTcp = 2n;

/** Rights on files: their bits, and the first version of Landlock with each right. Reading is not restricted. */
const rights = {
  execute: { bit: 0n, since: 1 },
  writeFile: { bit: 1n, since: 1 },
  removeFolder: { bit: 4n, since: 1 },
  removeFile: { bit: 5n, since: 1 },
  makeCharacterDevice: { bit: 6n, since: 1 },
  makeFolder: { bit: 7n, since: 1 },
  makeFile: { bit: 8n, since: 1 },
  makeSocket: { bit: 9n, since: 1 },
  makePipe: { bit: 10n, since: 1 },
  makeBlockDevice: { bit: 11n, since: 1 },
  makeLink: { bit: 12n, since: 1 },
  moveBetweenFolders: { bit: 13n, since: 2 },
  truncate: { bit: 14n, since: 3 },
} as const;

const right = (name: keyof typeof rights): bigint => 1n << rights[name].bit;

const fileRights = (version: number): bigint =>
  Object.values(rights).reduce((all, { bit, since }) => (version >= since ? all | (1n << bit) : all), 0n);

/** Detects threads of the pool that started before the restriction: it would not bind them. */
const hasPool = (): boolean =>
  readdirSync('/proc/self/task').some((id) =>
    readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('libuv'),
  );

const [writableFolder] = process.argv.slice(-1);
if (process.platform === 'linux' && writableFolder !== undefined) {
  try {
    confine(writableFolder);
  } catch {
    // The program detects that it may write, and reports it.
  }
}
