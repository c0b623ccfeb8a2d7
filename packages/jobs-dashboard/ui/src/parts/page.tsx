import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../lib/api.ts';
import { Button } from './controls.tsx';
import { Link } from './link.tsx';
import classes from './page.module.css';
import { Scroll } from './scroll.tsx';

type HeaderProps = {
  readonly title: string;
  readonly parent?: { readonly to: string; readonly name: string };
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
};

/** Header of a page: its title and its actions. */
export function PageHeader({ title, parent, beside, actions }: HeaderProps) {
  useEffect(() => {
    document.title = `${title} · Jobs`;
  }, [title]);
  return (
    <header className={classes['header']}>
      <div className={classes['names']}>
        {parent && (
          <div className={classes['parent']}>
            <Link to={parent.to}>{parent.name}</Link> /
          </div>
        )}
        <div className={classes['title']}>
          <h1 tabIndex={-1}>{title}</h1>
          {beside}
        </div>
      </div>
      {actions && <div className={classes['actions']}>{actions}</div>}
    </header>
  );
}

/** Error message of the server. */
export function ProblemView({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const text =
    error instanceof ApiError
      ? error.message
      : 'The server could not be reached. What is shown may be old; it is tried again.';
  return (
    <div className={classes['problem']} role="alert">
      <span className="grow">{text}</span>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

type Reading<T> = {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
};

/** Shows loaded data, a placeholder of similar size while it loads, and an error message after a failure. */
export function Read<T>({
  of,
  children,
}: {
  readonly of: Reading<T>;
  readonly children: (data: T) => ReactNode;
}) {
  const isGone = of.error instanceof ApiError && of.error.status === 404;
  return (
    <>
      {of.error ? (
        <ProblemView error={of.error} {...(!isGone && { onRetry: () => void of.refetch() })} />
      ) : null}
      {of.data === undefined ? (
        of.error ? null : (
          <div className={classes['skeleton']} aria-busy="true" />
        )
      ) : isGone ? null : (
        children(of.data)
      )}
    </>
  );
}

/** Placeholder for an empty list. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={classes['empty']}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

/** List of names and values. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]} className={classes['fact']}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] ?? <span className="soft">—</span>}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

type SectionProps = {
  readonly title: string;
  readonly actions?: ReactNode;
  /** True when the content extends to the borders: tables, code. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
};

/** Section of a page with a heading. */
export function Section({ title, actions, isFlush = false, children }: SectionProps) {
  return (
    <section className={classes['section']} aria-label={title}>
      <div className={classes['sectionHead']}>
        <h2>{title}</h2>
        {actions}
      </div>
      {isFlush ? children : <div className={classes['sectionBody']}>{children}</div>}
    </section>
  );
}

/** Preformatted text: a payload, a command, a stack. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Scroll className={classes['code']} label={label}>
      <pre>{text}</pre>
    </Scroll>
  );
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'null';
export const pageClasses = classes;
