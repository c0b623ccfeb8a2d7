import { statSync } from 'node:fs';
import { readFolder, readSecrets } from '@svc/cli';
import type { Config, Svc } from '@svc/server';

/**
 * Checks that a folder to apply at the start has a user to act as.
 *
 * @throws Error that names the missing setting.
 */
export function checkProvisioning(config: Config): void {
  if (config['Svc:Provisioning:Folder'] !== undefined && config['Svc:Provisioning:ActAs'] === undefined)
    throw new Error('The setting Svc:Provisioning:Folder needs Svc:Provisioning:ActAs.');
}

type StartProvisioning = {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
};

/**
 * Applies the configured folder at the start of a process. Does nothing without a folder.
 *
 * @throws Error if the folder is not applied in full and the settings end the start in this case.
 */
export async function provisionAtStart(
  { provisioning }: Pick<Svc, 'provisioning'>,
  { config, env, say }: StartProvisioning,
): Promise<void> {
  const folder = config['Svc:Provisioning:Folder'];
  const actAs = config['Svc:Provisioning:ActAs'];
  if (folder === undefined || actAs === undefined) return;
  say(`Applying ${folder} as ${actAs} ...`);
  const { outcome, lines } = await provisioning.provision({
    folder,
    actAs,
    files: () => filesOf(folder),
    secrets: readSecrets({ env }, undefined),
    manager: config['Svc:Provisioning:Manager'],
    managed: config['Svc:Provisioning:Managed'],
  });
  for (const line of lines) say(`Provisioning: ${line}`);
  const isWrong = outcome === 'Incomplete' || outcome === 'Failed';
  if (isWrong && config['Svc:Provisioning:OnError'] === 'Stop')
    throw new Error(
      `${folder} was not applied in full, and Svc:Provisioning:OnError is Stop: the start ends here.`,
    );
}

/** Refuses an empty folder as a mistake, such as a missing volume: applying it would release every managed record. */
function filesOf(folder: string) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder}.`);
  const files = readFolder(folder);
  if (files.length === 0) throw new Error(`There is no file of a record in ${folder}.`);
  return files;
}
