/** Where the host serves the dashboard of the background jobs, as the page's head says; undefined: nowhere. */
export const jobsDashboard: string | undefined = (() => {
  const path = document.querySelector<HTMLMetaElement>('meta[name="jobs-dashboard"]')?.content;
  // A page that no server has filled in still holds the placeholder.
  return path?.startsWith('/') ? path : undefined;
})();
