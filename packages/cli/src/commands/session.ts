import type { Command } from 'commander';
import { baseOf } from '../address.ts';
import { type AddCommands, clientOf, connect, outputOption } from '../command.ts';
import { type CliContext, CommandFailure, readInput } from '../context.ts';
import { isKey, removeCredentials, storeCredentials } from '../credentials.ts';
import { exitCodes } from '../exit-codes.ts';
import { type OutputFormat, recordResult, writeResult } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';

/** `login`, `logout` and `whoami`. */
export const addSessionCommands: AddCommands = (program, context) => {
  program
    .command('login')
    .description('remember a service and a key, which is read from the input and never from the command line')
    .argument('<url>', 'where the service is')
    // The error must not repeat a key that the user typed as an argument.
    .allowExcessArguments()
    .action((url: string, _options: object, { args }: Command) => {
      if (args.length > 1)
        throw new CommandFailure(
          'Give the address alone; the key is read from the input, where other programs do not see it.',
          exitCodes.usage,
        );
      return logIn(context, url);
    });
  program
    .command('logout')
    .description('forget the service and the key; the key itself stays valid until it is revoked')
    .action(() => context.say(removeCredentials(context) ? 'Logged out.' : 'Nobody was logged in.'));
  program
    .command('whoami')
    .description('say who the key acts for')
    .addOption(outputOption())
    .action(async ({ output }: { output: OutputFormat }) => {
      const { userName, displayName, roles } = await connect(context).getCurrentUser(
        {},
        { signal: context.signal },
      );
      if (userName === null)
        throw new CommandFailure('Nobody: log in with svc login URL, or set SVC_KEY.', exitCodes.notAllowed);
      writeResult(context, output, recordResult({ userName, displayName, roles: roles.join(', ') }));
    });
};

async function logIn(context: CliContext, address: string): Promise<void> {
  const url = baseOf(address);
  const text = context.askSecret ? await context.askSecret('API key: ') : await readInput(context);
  const key = text.trim();
  if (!isKey(key))
    throw new CommandFailure(
      'Give the key on the input, such as: svc login URL < key-file. It is one line of visible characters.',
      exitCodes.usage,
    );
  // Verifies the credentials before they are stored.
  const { userName } = await clientOf(url, key).getCurrentUser({}, { signal: context.signal });
  if (userName === null)
    throw new CommandFailure('The service does not know this key.', exitCodes.notAllowed);
  const file = storeCredentials(context, { url, key });
  context.say(plainLine(`Logged in to ${url} as ${userName}. The key is in ${file}.`));
  if (
    new URL(url).protocol === 'http:' &&
    !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
  )
    context.say('The address begins with http://: the key is sent unencrypted.');
}
