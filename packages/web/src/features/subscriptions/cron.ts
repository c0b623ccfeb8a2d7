/** A schedule as people put it together. Everything else is written as an expression. */
export type Plan = {
  readonly kind: 'minutes' | 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom';
  /** Between two runs; for `minutes`. */
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

/** The expression of a plan: minute, hour, day, month, weekday. */
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
