// State that follows the engine: only the answer to the latest question is ever shown.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Live<T> { value: T | null; error: string | null; busy: boolean }

// Asks again whenever `key` changes, `delay` milliseconds after the last change. The previous answer stays
// until the new one arrives, so that nothing flickers.
export function useLive<T>(key: string | null, delay: number, ask: (signal: AbortSignal) => Promise<T>): Live<T> {
  const [live, setLive] = useState<Live<T>>({ value: null, error: null, busy: key !== null });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) {
      setLive({ value: null, error: null, busy: false });
      return;
    }
    const abort = new AbortController();
    setLive((old) => ({ ...old, busy: true }));
    const timer = setTimeout(() => {
      latest.current(abort.signal).then(
        (value) => { if (!abort.signal.aborted) setLive({ value, error: null, busy: false }); },
        (error: unknown) => { if (!abort.signal.aborted) setLive({ value: null, error: textOf(error), busy: false }); },
      );
    }, delay);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [key, delay]);
  return live;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
