import type pg from 'pg';
import { type Finding, warning, well } from './finding.ts';

type Run = {
  readonly folder: string;
  readonly actAs: string;
  readonly startedAt: Date;
  readonly outcome: string | null;
  readonly isSilent: boolean;
  readonly detail: string | null;
};

const silentSeconds = 15;

/** Returns the result of the last provisioning at a process start. Empty if none ever ran. */
export async function lookAtProvisioning(client: pg.ClientBase): Promise<readonly Finding[]> {
  const { rows: tableRows } = await client.query(
    `select to_regclass('svc.provisioning_runs') is not null as "isThere"`,
  );
  if (!tableRows[0].isThere) return [];
  const { rows } = await client.query<Run>(
    `select folder, act_as as "actAs", started_at as "startedAt", outcome, detail,
       beat_at < now() - make_interval(secs => $1) as "isSilent"
     from svc.provisioning_runs order by id desc limit 1`,
    [silentSeconds],
  );
  const [run] = rows;
  return run ? [ofRun(run)] : [];
}

function ofRun({ folder, actAs, startedAt, outcome, isSilent, detail }: Run): Finding {
  const at = startedAt.toISOString();
  if (outcome === 'Applied') return well('Provisioning', `${folder} was applied as ${actAs} at ${at}.`);
  if (outcome === null && !isSilent) return well('Provisioning', `${folder} is being applied since ${at}.`);
  if (outcome === null || outcome === 'CutShort')
    return warning(
      'Provisioning',
      `Applying ${folder} at ${at} was cut short.`,
      'Start the service again: what was done is left as it is, and the rest is applied.',
    );
  return warning(
    'Provisioning',
    `${folder} was not applied in full as ${actAs} at ${at}: ${(detail ?? '').replaceAll('\n', ' ')}`,
    'Correct the files, the user or the rights, and start the service again, or apply the folder with: npm run svc -- apply FOLDER --host --as USER',
  );
}
