import { expect, test } from 'vitest'
import { numeric } from '../src/panel/table.ts'

test.each<[string[], boolean]>([
  [['72', '61', ''], true],
  [['1,240.50', '−3'], true],
  [['₪ 120', '€5'], true],
  [['61%', '7 %'], true],
  [['–', '12'], true],
  [['2026-11-30'], false],
  [['30.11.2026, 18:00'], false],
  [['18:00'], false],
  [['8/12'], false],
  [['10-pack', '3'], false],
  [['', '–'], false],
])('%j', (cells, want) => {
  expect(numeric(cells)).toBe(want)
})
