import { mask, type Parsed, type ReviewPart, refused } from '../destination/mask.ts';
import { trackerGatewayHost, trackerGatewayPath, trackerSiteSuffix } from '../destination/vendor-facts.ts';
import { parseEmailAddress } from '../email/address.ts';

/** A project of an issue tracker, and the account that creates issues in it. */
export type IssueTrackerDestination = {
  /** The site as the user entered it. */
  readonly site: string;
  /** Base URL of the site's API, without a trailing slash and without `/rest`. */
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly accountEmail: string;
  readonly apiToken: string;
};

const bareSite = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const projectKeyShape = /^[A-Za-z][A-Za-z0-9_]{0,254}$/;
const tokenShape = /^[\x21-\x7e]{1,2048}$/;

function parseSite(site: string): Parsed<string> {
  if (bareSite.test(site)) return { ok: true, value: `https://${site.toLowerCase()}${trackerSiteSuffix}` };
  const text = site.includes('://') ? site : `https://${site}`;
  if (!URL.canParse(text)) return refused('The site must be a site name, a site URL or a gateway URL.');
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '')
    return refused('The site URL must have no query and no fragment.');
  // A password in the site URL would be visible wherever the site is shown.
  if (url.username !== '' || url.password !== '' || text.includes('@'))
    return refused('The site URL must not contain a user name or password.');
  const path = url.pathname.replace(/\/+$/, '');
  if (url.hostname === trackerGatewayHost && !trackerGatewayPath.test(path))
    return refused('The gateway URL must contain the cloud id.');
  if (url.hostname.endsWith(trackerSiteSuffix) && path !== '')
    return refused('The site URL must have no path.');
  return { ok: true, value: text.replace(/\/+$/, '') };
}

/**
 * Parses `<site>;<project_key>;<account_email>;<api_token>`. The site may be a bare site name, a full site URL, or a
 * gateway URL containing a cloud id (spec 3 section 2.1).
 */
export function parseIssueTrackerDestination(text: string): Parsed<IssueTrackerDestination> {
  const [site = '', projectKey = '', accountEmail = '', ...tokenParts] = text
    .split(';')
    .map((part) => part.trim());
  const apiToken = tokenParts.join(';');
  if (site === '' || projectKey === '' || accountEmail === '' || apiToken === '')
    return refused('The destination must have four parts: site;project_key;account_email;api_token.');
  const base = parseSite(site);
  if (!base.ok) return base;
  if (!projectKeyShape.test(projectKey))
    return refused('The project key must begin with a letter and hold letters, digits and underscores.');
  const email = parseEmailAddress(accountEmail);
  if (!email.ok) return refused('The account must be a bare email address.');
  if (!tokenShape.test(apiToken)) return refused('The API token must hold printable characters only.');
  return {
    ok: true,
    value: {
      site,
      baseUrl: base.value,
      projectKey: projectKey.toUpperCase(),
      accountEmail: email.value.address,
      apiToken,
    },
  };
}

/** Returns site, project and account; the token is masked. */
export function maskIssueTracker({ site, projectKey, accountEmail }: IssueTrackerDestination): string {
  return [site, projectKey, accountEmail, mask].join(';');
}

/** Returns the parts for reviewers: site, project and email (spec 3 section 5.5). */
export function reviewIssueTracker(destination: IssueTrackerDestination): ReviewPart[] {
  return [
    { label: 'Site', value: destination.site },
    { label: 'Project', value: destination.projectKey },
    { label: 'Account', value: destination.accountEmail },
  ];
}
