/** Schedule in the form. Schedules without a form are `custom` expressions. */
export type Plan = {
  readonly kind: 'minutes' | 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom';
  /** Interval between two runs. For `minutes`. */
  readonly everyMinutes: number;
  /** HH:MM */
  readonly time: string;
  /** 0 is Sunday; for `weekly`. */
  readonly weekdays: readonly number[];
  /** For `monthly`. */
  readonly dayOfMonth: number;
  /** For `custom`. */
  readonly expression: string;
};

export const planKinds: readonly { readonly value: Plan['kind']; readonly label: string }[] = [
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekdays', label: 'Every weekday' },
  { value: 'weekly', label: 'On chosen days' },
  { value: 'monthly', label: 'Every month' },
  { value: 'custom', label: 'By an expression' },
];

export const everyMinutesOptions: readonly number[] = [5, 10, 15, 20, 30];

export const firstPlan: Plan = {
  kind: 'weekdays',
  everyMinutes: 15,
  time: '08:00',
  weekdays: [1],
  dayOfMonth: 1,
  expression: '0 8 * * 1-5',
};

/** Returns the cron expression of a plan: minute, hour, day, month, weekday. */
export function expressionOf(plan: Plan): string {
  const [hour = '0', minute = '0'] = plan.time.split(':').map((part) => String(Number(part) || 0));
  switch (plan.kind) {
    case 'minutes':
      return `*/${plan.everyMinutes} * * * *`;
    case 'hourly':
      return `${minute} * * * *`;
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`;
    case 'weekly':
      return `${minute} ${hour} * * ${plan.weekdays.toSorted((a, b) => a - b).join(',') || '*'}`;
    case 'monthly':
      return `${minute} ${hour} ${plan.dayOfMonth} * *`;
    case 'custom':
      return plan.expression.trim();
  }
}

const two = (text: string): string => text.padStart(2, '0');
const isWithin = (text: string, least: number, most: number): boolean =>
  /^(0|[1-9]\d?)$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Returns the plan of an expression that `expressionOf` can produce. Undefined for other expressions. */
function partsOf(expression: string): Partial<Plan> | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = expression.split(' ');
  if (more.length > 0 || month !== '*') return undefined;
  const every = everyMinutesOptions.find((minutes) => minute === `*/${minutes}`);
  if (every !== undefined && [hour, day, weekday].every((part) => part === '*'))
    return { kind: 'minutes', everyMinutes: every };
  if (!isWithin(minute, 0, 59)) return undefined;
  if ([hour, day, weekday].every((part) => part === '*'))
    return { kind: 'hourly', time: `00:${two(minute)}` };
  if (!isWithin(hour, 0, 23)) return undefined;
  const time = `${two(hour)}:${two(minute)}`;
  if (isWithin(day, 1, 31) && weekday === '*') return { kind: 'monthly', time, dayOfMonth: Number(day) };
  if (day !== '*') return undefined;
  if (weekday === '*') return { kind: 'daily', time };
  if (weekday === '1-5') return { kind: 'weekdays', time };
  return /^[0-6](,[0-6])*$/.test(weekday)
    ? { kind: 'weekly', time, weekdays: weekday.split(',').map(Number) }
    : undefined;
}

/** Returns the plan of an expression. It is `custom` if the form cannot represent the expression. */
export function planOf(expression: string): Plan {
  const custom: Plan = { ...firstPlan, kind: 'custom', expression };
  const plan = { ...firstPlan, expression, ...partsOf(expression) };
  return expressionOf(plan) === expression ? plan : custom;
}
