// The page's only door to the engine. Today it is HTTP; a build that runs in the browser needs another
// implementation of Engine and nothing else.
import type { Audit, Example, Explained, Job, Model, ModelSummary, Prediction, Question, Row } from './contract.ts';

export interface Engine {
  models(): Promise<ModelSummary[]>;
  model(name: string): Promise<Model>;
  examples(name: string, limit: number): Promise<Example[]>;
  predict(name: string, row: Row, signal?: AbortSignal): Promise<Prediction>;
  explain(name: string, row: Row, question: Question, signal?: AbortSignal): Promise<Explained>;
  audit(name: string, csv: string, by: string, question: Question): Promise<Audit>;
  startJob(name: string, csv: string, title: string, question: Question): Promise<Job>;
  jobs(): Promise<Job[]>;
  job(id: string): Promise<Job>;
  deleteJob(id: string): Promise<void>;
  answers(id: string, format: 'csv' | 'json' | 'html'): Promise<Blob>;
}

// What the engine refuses, in its own words.
export class EngineError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

const tokenKey = 'scfe-token';

export class HttpEngine implements Engine {
  private token = sessionStorage.getItem(tokenKey) ?? '';

  setToken(token: string): void {
    this.token = token;
    sessionStorage.setItem(tokenKey, token);
  }

  async models() {
    return (await this.json<{ models: ModelSummary[] }>('api/models')).models;
  }

  model(name: string) {
    return this.json<Model>(this.path(name, ''));
  }

  async examples(name: string, limit: number) {
    return (await this.json<{ examples: Example[] }>(this.path(name, `/examples?limit=${limit}`))).examples;
  }

  async predict(name: string, row: Row, signal?: AbortSignal) {
    const answer = await this.post<{ predictions: Prediction[] }>(this.path(name, '/predict'), { row }, signal);
    return first(answer.predictions);
  }

  async explain(name: string, row: Row, question: Question, signal?: AbortSignal) {
    const answer = await this.post<{ rows: Explained[] }>(this.path(name, '/explain'), { row, question }, signal);
    return first(answer.rows);
  }

  audit(name: string, csv: string, by: string, question: Question) {
    return this.json<Audit>(this.path(name, `/audit?${query({ by, question: JSON.stringify(question) })}`), csvBody(csv));
  }

  startJob(name: string, csv: string, title: string, question: Question) {
    return this.json<Job>(this.path(name, `/jobs?${query({ name: title, question: JSON.stringify(question) })}`), csvBody(csv));
  }

  async jobs() {
    return (await this.json<{ jobs: Job[] }>('api/jobs')).jobs;
  }

  job(id: string) {
    return this.json<Job>(`api/jobs/${encodeURIComponent(id)}`);
  }

  async deleteJob(id: string) {
    await this.fetch(`api/jobs/${encodeURIComponent(id)}`, { method: 'DELETE' });
  }

  async answers(id: string, format: 'csv' | 'json' | 'html') {
    return (await this.fetch(`api/jobs/${encodeURIComponent(id)}/answers.${format}`)).blob();
  }

  private path(name: string, rest: string) {
    return `api/models/${encodeURIComponent(name)}${rest}`;
  }

  private post<T>(path: string, body: unknown, signal?: AbortSignal) {
    const headers = { 'Content-Type': 'application/json' };
    return this.json<T>(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  }

  private async json<T>(path: string, init?: RequestInit) {
    return (await (await this.fetch(path, init)).json()) as T;
  }

  private async fetch(path: string, init: RequestInit = {}) {
    const headers = new Headers(init.headers);
    if (this.token) headers.set('Authorization', `Bearer ${this.token}`);
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new EngineError(0, 'The server does not answer. Is “scfe serve” still running?');
    }
    if (!response.ok) throw new EngineError(response.status, await problem(response));
    return response;
  }
}

function first<T>(list: T[]): T {
  const [one] = list;
  if (one === undefined) throw new EngineError(0, 'The server answered without a row.');
  return one;
}

function query(members: Record<string, string>) {
  return new URLSearchParams(members).toString();
}

function csvBody(csv: string): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: csv };
}

async function problem(response: Response): Promise<string> {
  const otherwise = `The server answered ${response.status}.`;
  try {
    return ((await response.json()) as { detail?: string }).detail ?? otherwise;
  } catch {
    return otherwise;
  }
}
