import { Button } from '@mantine/core';
import type { Problem } from '@svc/contract';
import { useEffect, useRef } from 'react';
import { hosted } from '../../lib/base.ts';
import { paths } from '../../lib/paths.ts';
import { hasCode, headingOf, isSignedOut, partsInWords, problemOf } from '../../lib/problem.ts';
import { LinkButton } from '../frame/link-button.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import { Icon } from '../text/icons.tsx';
import classes from './problem.module.css';
import { Remedy } from './remedy.tsx';

type Props = {
  readonly error: unknown;
  /** Enables the button that retries. */
  readonly onRetry?: (() => void) | undefined;
  /** True if the problem replaces a whole page: its heading is then the heading of the page. */
  readonly isPage?: boolean;
};

const headings: Readonly<Record<number, string>> = {
  403: 'You do not have access',
  404: 'Not found',
  503: 'The service is not responding',
};

/**
 * Returns the address of the sign-in page, for a full load, because the cached session is no longer valid. It returns
 * to this page.
 */
function signInAddress(): string {
  const { pathname, search } = window.location;
  const here = pathname.slice(hosted('/svc').length) + search;
  return `${hosted('/svc/login')}?${new URLSearchParams({ returnTo: here })}`;
}

/** Replaces content that failed to load: title, next step, and the trace id for support. */
export function ProblemView({ error, onRetry, isPage = false }: Props) {
  const problem = problemOf(error);
  const heading = headings[problem.status] ?? headingOf(problem);
  return (
    <div className={classes['view']} role="alert">
      <Icon name={problem.status === 403 ? 'lock' : 'warning'} size={20} />
      <div className="stack-tight">
        {isPage ? (
          <h1 id="page-title" tabIndex={-1}>
            {heading}
          </h1>
        ) : (
          <h2>{heading}</h2>
        )}
        {problem.detail !== undefined && <p>{problem.detail}</p>}
        {problem.errors && problem.errors.length > 0 && (
          <ul className={classes['errors']}>
            {problem.errors.map((entry) => (
              <li key={`${entry.path} ${entry.message}`}>
                <code>{entry.path}</code> {entry.message}
              </li>
            ))}
          </ul>
        )}
        {problem.traceId !== undefined && (
          <p className="row soft">
            Trace <code className={classes['trace']}>{problem.traceId}</code>
            <CopyButton value={problem.traceId} label="Copy trace id" />
          </p>
        )}
        <div className="row wrap">
          {isSignedOut(problem) && (
            <Button component="a" variant="filled" href={signInAddress()}>
              Sign in
            </Button>
          )}
          {onRetry && problem.status !== 403 && problem.status !== 404 && (
            <Button leftSection={<Icon name="refresh" />} onClick={onRetry}>
              Try again
            </Button>
          )}
          {isPage && (
            <>
              <Button leftSection={<Icon name="left" />} onClick={() => window.history.back()}>
                Back
              </Button>
              <LinkButton to={paths.home()}>Home</LinkButton>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** Returns true if the service's message names parts of the request, which are not names that a user knows. */
const isRefusedInput = (problem: Problem): boolean =>
  hasCode(problem, 'invalid-input') && problem.errors !== undefined && problem.errors.length > 0;

/** Refusal of a form or an action. Renders nothing without an error. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  const note = useRef<HTMLDivElement>(null);
  // The submit button of a long form is at its end, so the note at its start must scroll into view.
  useEffect(() => {
    if (error !== null && error !== undefined) note.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null || error === undefined) return null;
  const problem = problemOf(error);
  return (
    <div className={classes['note']} role="alert" ref={note}>
      <Icon name="warning" />
      <div>
        {isRefusedInput(problem) ? (
          <>
            <strong>Not accepted.</strong> {partsInWords(problem)}
          </>
        ) : (
          <>
            <strong>{headingOf(problem)}.</strong> {problem.detail}
          </>
        )}
        <Remedy text={problem.remedy} />
        {isSignedOut(problem) && (
          <>
            {' '}
            <a href={signInAddress()} target="_blank" rel="noopener">
              Sign in in a new tab
            </a>
          </>
        )}
        {problem.status >= 500 && problem.traceId !== undefined && (
          <>
            {' '}
            Trace <code>{problem.traceId}</code>
          </>
        )}
      </div>
    </div>
  );
}
