import { statSync } from 'node:fs';
import { readFolder, readSecrets } from '@svc/cli';
import type { Config, Svc } from '@svc/server';

/**
 * Checks that a folder that is applied at the start is applied by somebody.
 *
 * @throws Error that names the setting which is missing.
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
 * Applies the configured folder as a process starts; nothing without one.
 *
 * @throws Error where it is not applied in full and the settings say that the start ends then.
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
    ...{ folder, actAs, files: () => filesOf(folder), secrets: readSecrets({ env }, undefined) },
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

/** An empty folder is a mistake, such as a volume that is not mounted: it would give back every managed record. */
function filesOf(folder: string) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder}.`);
  const files = readFolder(folder);
  if (files.length === 0) throw new Error(`There is no file of a record in ${folder}.`);
  return files;
}
