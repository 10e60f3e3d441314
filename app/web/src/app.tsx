// The frame of the page: which model, which view, light or dark, and the token where the server wants one.
import { useEffect, useState } from 'preact/hooks';
import type { Example, Model, ModelSummary } from './contract.ts';
import { EngineError, type HttpEngine } from './engine.ts';
import { textOf } from './hooks.ts';
import { keepTheme, themeNow } from './theme.ts';
import { Icon, Logo } from './view/icons.tsx';
import { Problem } from './view/controls.tsx';
import { Workspace } from './workspace.tsx';

export type View = 'one' | 'many' | 'groups';
const views: { view: View; text: string }[] = [{ view: 'one', text: 'One row' }, { view: 'many', text: 'Many rows' }, { view: 'groups', text: 'Groups' }];

function viewOf(hash: string): View {
  return views.find((v) => hash === `#${v.view}`)?.view ?? 'one';
}

function useView(): View {
  const [view, setView] = useState(viewOf(location.hash));
  useEffect(() => {
    const follow = () => setView(viewOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return view;
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(themeNow());
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="icon" aria-label={`Switch to ${other} colours`} title={`Switch to ${other} colours`} onClick={() => { keepTheme(other); setTheme(other); }}>
      <Icon name={other} />
    </button>
  );
}

function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const [token, setToken] = useState('');
  return (
    <form class="panel stack token" onSubmit={(e) => { e.preventDefault(); onToken(token); }}>
      <h2>This server asks for a token</h2>
      <label class="field" for="token">The token that it was started with<input id="token" type="password" autocomplete="current-password" value={token} onInput={(e) => setToken(e.currentTarget.value)} /></label>
      <div><button type="submit" class="primary">Go on</button></div>
    </form>
  );
}

const mostExamples = 200;

interface Loaded { model: Model; examples: Example[] }

export function App({ engine }: { engine: HttpEngine }) {
  const view = useView();
  const [models, setModels] = useState<ModelSummary[]>([]);
  const [chosen, setChosen] = useState('');
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tokens, setTokens] = useState(0); // how many were tried
  const [wantsToken, setWantsToken] = useState(false);
  const failed = (error: unknown) => {
    setWantsToken(error instanceof EngineError && error.status === 401);
    setProblem(textOf(error));
  };
  useEffect(() => {
    engine.models().then((list) => {
      setModels(list);
      setProblem(list.length === 0 ? 'The server has no model.' : null);
      setWantsToken(false);
      setChosen(list[0]?.name ?? '');
    }).catch(failed);
  }, [engine, tokens]);
  useEffect(() => {
    if (chosen === '') return;
    let gone = false;
    setLoaded(null);
    Promise.all([engine.model(chosen), engine.examples(chosen, mostExamples)]).then(
      ([model, examples]) => { if (!gone) { setLoaded({ model, examples }); setProblem(null); } },
      (error: unknown) => { if (!gone) failed(error); },
    );
    return () => { gone = true; };
  }, [engine, chosen]);
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus(); }}>Skip to the content</a>
      <header class="top">
        <div class="top-in">
          <div class="brand"><Logo /><h1>S-CFE<span class="hidden-text">: what would change the decision?</span></h1></div>
          <nav class="tabs" aria-label="Views">
            {views.map((v) => <a key={v.view} href={`#${v.view}`} aria-current={v.view === view ? 'page' : undefined}>{v.text}</a>)}
          </nav>
          <div class="fill" />
          <label><span>Model</span>
            <select aria-label="Model" value={chosen} onChange={(e) => setChosen(e.currentTarget.value)}>
              {models.map((m) => <option key={m.name} value={m.name}>{m.name}</option>)}
            </select>
          </label>
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {wantsToken
          ? <TokenForm onToken={(token) => { engine.setToken(token); setTokens((n) => n + 1); }} />
          : <Problem text={problem} />}
        {loaded && <Workspace key={loaded.model.name} engine={engine} model={loaded.model} examples={loaded.examples} view={view} />}
      </main>
      {loaded && (
        <footer>
          <p class="break">Model {loaded.model.name} ({loaded.model.kind}, {loaded.model.features.length} features). Solver: {loaded.model.solver}. Every answer is predicted again as it is written.</p>
        </footer>
      )}
    </>
  );
}
