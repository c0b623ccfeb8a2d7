/** One line, or one colour of bars. */
export type ChartSeries = {
  readonly name: string;
  /** Name of a colour of the theme. */
  readonly colour: string;
  /** One number for each step; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly line?: 'solid' | 'dashed' | 'dotted';
};

/** What a chart shows, as numbers. */
export type ChartData = {
  readonly label: string;
  readonly kind: 'bar' | 'line';
  /** What the steps are; default times. */
  readonly stepTitle?: string;
  /** In what the numbers are; default a count. */
  readonly unit?: string;
  /** Words under the axis, from left to right. */
  readonly steps: readonly string[];
  readonly series: readonly ChartSeries[];
};
