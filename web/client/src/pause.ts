/** Waits so many milliseconds; rejects with the signal's reason when that comes first. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Waits by the clock. */
export const pause: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })

/** How often a cut line is taken up again before a person is asked: about a minute in all. */
export const maxTries = 10

/** Milliseconds before try n (from 0): doubling from 250 ms to 8 s, the half of it by chance so that many do not come at once. */
export function backoffMs(n: number, chance: () => number = Math.random): number {
  const whole = Math.min(250 * 2 ** n, 8000)
  return whole / 2 + (chance() * whole) / 2
}
