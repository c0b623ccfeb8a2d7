import { lazy, Suspense } from 'react';
import classes from './chart.module.css';
import type { ChartData } from './chart-data.ts';
import { Scroll } from './scroll.tsx';

const Drawing = lazy(() => import('./drawing.tsx').then((module) => ({ default: module.Drawing })));

/** Line styles of series. They distinguish series without colour. */
const dashes: Readonly<Record<string, string>> = { solid: 'none', dashed: '4 2', dotted: '1 2' };

/** Chart with a legend and a table of the same numbers. */
export function Chart({ data }: { readonly data: ChartData }) {
  return (
    <div>
      <ul className={classes['legend']}>
        {data.series.map(({ name, colour, line }) => (
          <li key={name}>
            <svg width="16" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="16"
                y2="4"
                stroke={`var(--${colour})`}
                strokeWidth={data.kind === 'bar' ? 8 : 2}
                strokeDasharray={dashes[line ?? 'solid']}
              />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <Suspense fallback={<div className={classes['chart']} />}>
        <Drawing data={data} className={classes['chart'] ?? ''} />
      </Suspense>
      <details className={classes['twin']}>
        <summary>As a table</summary>
        <Scroll className={classes['scroll']} label={`${data.label}, as a table`}>
          <table aria-label={data.label}>
            <thead>
              <tr>
                <th scope="col">{data.stepTitle ?? 'Time'}</th>
                {data.series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.steps.map((step, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are told apart by their place; a clock repeats.
                <tr key={at}>
                  <th scope="row" className="mono">
                    {step}
                  </th>
                  {data.series.map(({ name, values }) => (
                    <td key={name} className="mono">
                      {values[at] ?? '—'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </div>
  );
}
