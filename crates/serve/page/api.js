// The server's interface, as functions. Every failure is an `Issue` with a message to show.

/** What went wrong, in words that can be shown. */
export class Issue extends Error {
  constructor({ message, hint, span }, status) {
    super(message);
    this.hint = hint;
    this.span = span;
    this.status = status;
  }
}

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Issue({ message: "The server does not answer.", hint: "Is rebus serve still running?" }, 0);
  }
  if (response.status === 401) location.assign("/sign-in");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Issue(answer.error ?? { message: `The server answered ${response.status}.` }, response.status);
  }
  return answer;
}

const post = (path, body, signal) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });

const upload = (path, file, signal) =>
  ask(path, { method: "POST", headers: { "content-type": file.type || "application/octet-stream" }, body: file, signal });

const parameters = (given) => {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined && value !== "" && value !== false);
  return new URLSearchParams(kept).toString();
};

export const search = (given, signal) => ask(`search?${parameters(given)}`, { signal });
export const item = (id, query) => ask(`items/${id}?${parameters({ q: query })}`);
export const annotation = (id) => ask(`annotate/${id}`);
export const annotate = (file, signal) => upload("annotate", file, signal);
export const similar = (id, given, signal) => ask(`similar/${id}?${parameters(given)}`, { signal });
export const similarTo = (file, given, signal) => upload(`similar?${parameters(given)}`, file, signal);
export const stats = () => ask("stats");
export const judgements = () => ask("judgements");
export const judge = (judged) => post("judgements", judged);
export const correct = (correction) => post("corrections", correction);

export const thumbnail = (id) => `/api/v1/thumbnails/${id}`;
export const photo = (id) => `/api/v1/photo/${id}`;
