import { clashesMax, clashNamesMax, type ScheduleLoad, type TowerKind } from '@svc/contract';
import { parseSchedule } from '@svc/jobs';

/** Subjects with the same schedule and data source. */
export type ScheduleGroup = {
  readonly cronExpression: string;
  readonly timeZone: string;
  readonly dataSourceId: number;
  readonly dataSourceName: string;
  readonly subjects: readonly { readonly kind: TowerKind; readonly id: number; readonly name: string }[];
};
/** Subjects with the same schedule. Each is one run, regardless of its number of sources. */
export type ScheduleCount = {
  readonly cronExpression: string;
  readonly timeZone: string;
  readonly subjectCount: number;
};

const hours = 24;
const hourMs = 3_600_000;
/** Maximum number of due times per response: about one second of work. */
const dueTimesMax = 20_000;
/** Yields to other work after this number of due times: a few milliseconds of work. */
const turnEvery = 250;

type Clash = { readonly at: number; readonly groups: ScheduleGroup[] };

/** Computes the due runs per hour. Subjects with the same expression share its computation. */
export async function scheduleLoadOf(
  {
    groups,
    counts,
  }: { readonly groups: readonly ScheduleGroup[]; readonly counts: readonly ScheduleCount[] },
  now: Date,
  yieldTurn: () => Promise<unknown>,
): Promise<ScheduleLoad> {
  const firstMs = Math.floor(now.getTime() / hourMs) * hourMs;
  const until = new Date(firstMs + hours * hourMs - 1);
  const runs = new Array<number>(hours).fill(0);
  const moments = new Map<string, Clash>();
  const bySchedule = Map.groupBy(groups, keyOf);
  let left = dueTimesMax;
  let isCut = false;
  for (const count of counts) {
    const due = await dueTimesOf(count, { from: now, until, countMax: left + 1 }, yieldTurn);
    isCut ||= due.length > left;
    const counted = due.slice(0, left);
    left -= counted.length;
    for (const at of counted) {
      const hour = Math.floor((at - firstMs) / hourMs);
      runs[hour] = (runs[hour] ?? 0) + count.subjectCount;
      for (const group of bySchedule.get(keyOf(count)) ?? []) {
        const key = `${at} ${group.dataSourceId}`;
        const moment = moments.get(key);
        if (moment) moment.groups.push(group);
        else moments.set(key, { at, groups: [group] });
      }
    }
  }
  const clashes = [...moments.values()].filter((moment) => runsOf(moment) > 1);
  const clashesIn = (hour: number) =>
    clashes.filter(({ at }) => Math.floor((at - firstMs) / hourMs) === hour).length;
  return {
    from: now.toISOString(),
    to: until.toISOString(),
    hours: runs.map((count, hour) => ({
      from: new Date(firstMs + hour * hourMs).toISOString(),
      runs: count,
      clashes: clashesIn(hour),
    })),
    clashes: clashes
      .toSorted((a, b) => runsOf(b) - runsOf(a) || a.at - b.at)
      .slice(0, clashesMax)
      .flatMap(presentClash),
    isCut,
  };
}

const keyOf = ({
  cronExpression,
  timeZone,
}: {
  readonly cronExpression: string;
  readonly timeZone: string;
}) => `${timeZone} ${cronExpression}`;

const runsOf = ({ groups }: Clash): number => groups.reduce((sum, { subjects }) => sum + subjects.length, 0);

/** Returns undefined for an expression that this version cannot parse: it never fires either. */
function scheduleOf({ cronExpression, timeZone }: ScheduleCount) {
  try {
    return parseSchedule(cronExpression, timeZone);
  } catch {
    return undefined;
  }
}

async function dueTimesOf(
  count: ScheduleCount,
  span: { readonly from: Date; readonly until: Date; readonly countMax: number },
  yieldTurn: () => Promise<unknown>,
): Promise<number[]> {
  const schedule = scheduleOf(count);
  const due: number[] = [];
  let [next] = schedule?.next(1, span.from) ?? [];
  while (schedule && next && next <= span.until && due.length < span.countMax) {
    due.push(next.getTime());
    if (due.length % turnEvery === 0) await yieldTurn();
    [next] = schedule.next(1, next);
  }
  // Many rare schedules take as long as a frequent one.
  await yieldTurn();
  return due;
}

function presentClash(clash: Clash): ScheduleLoad['clashes'] {
  const [first] = clash.groups;
  if (!first) return [];
  const subjects = clash.groups
    .flatMap((group) => group.subjects)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  return [
    {
      at: new Date(clash.at).toISOString(),
      dataSourceId: first.dataSourceId,
      dataSourceName: first.dataSourceName,
      runs: subjects.length,
      subjects: subjects.slice(0, clashNamesMax).map(({ kind, id, name }) => ({ kind, id, name })),
    },
  ];
}
