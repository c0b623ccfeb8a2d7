/** Series of a chart: a line, or bars of one colour. */
export type ChartSeries = {
  readonly name: string;
  /** Name of a theme colour. */
  readonly colour: string;
  /** One number per step; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly line?: 'solid' | 'dashed' | 'dotted';
};

/** Data of a chart. */
export type ChartData = {
  readonly label: string;
  readonly kind: 'bar' | 'line';
  /** Title of the steps. Default: times. */
  readonly stepTitle?: string;
  /** Unit of the numbers. Default: a count. */
  readonly unit?: string;
  /** Labels of the axis, from left to right. */
  readonly steps: readonly string[];
  readonly series: readonly ChartSeries[];
};
