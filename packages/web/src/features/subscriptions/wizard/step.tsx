import type { ReactNode } from 'react';

/** One question of the flow. */
export function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby="flow-step">
      <h2 id="flow-step" tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
