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
  /** Offers to try again. */
  readonly onRetry?: (() => void) | undefined;
  /** It stands in place of a whole page, and its heading is the page's. */
  readonly isPage?: boolean;
};

const headings: Readonly<Record<number, string>> = {
  403: 'You do not have access',
  404: 'Not found',
  503: 'The service is not responding',
};

/** The sign-in page, loaded anew: what was known of the session no longer holds. It leads back to this page. */
function signInAddress(): string {
  const { pathname, search } = window.location;
  const here = pathname.slice(hosted('/svc').length) + search;
  return `${hosted('/svc/login')}?${new URLSearchParams({ returnTo: here })}`;
}

/** A refusal in place of what was asked for: title, what to do, and the trace id to pass on. */
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

/** The service's own words for it name the parts as the request does. */
const isRefusedInput = (problem: Problem): boolean =>
  hasCode(problem, 'invalid-input') && problem.errors !== undefined && problem.errors.length > 0;

/** A refusal of a form or an act, above it. Nothing is shown without one. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  const note = useRef<HTMLDivElement>(null);
  // A long form is sent from its end, and its note stands at the beginning.
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
