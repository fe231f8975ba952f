package guide

import (
	"strings"
	"sync"
)

// The weights of words in matching. A word that carries the matter weighs 1.
const (
	weightFiller   = 0.05
	weightQuestion = 0.3
	// weightOwn is that of "my" in a question; a phrase that says it asks for no one else's.
	weightOwn    = 0.5
	weightOwnAsk = 1.2
	// weightHard is that of a word that turns a question into another one, as "not" or "why": a phrase that lacks it
	// does not answer.
	weightHard = 2.5
	// weightHardMet is that of such a word where question and phrase both have it: it settles nothing then.
	weightHardMet = 0.5
)

const fillers = `
	a an the of for in on at to by with from and or is are was were be been being do does did has have had will would can could
	may might i me you your we us it its this that these those there here please tell show list display give see view
	look up get find let want need like know just now any some all about into as hey ok okay also then so currently right our ours us them him her he she they thanks thank thx
	ה ו ב ל מ ש כ שלנו אותו אותה אני אנחנו לי לנו את אתה אתמ של על עמ אל אצל זה זו זאת הזה הזו האמ יש אפשר בבקשה תראה תראי הראה הצג להציג להראות לראות תן תני
	רשימת כל גם רק אז או עבור לפי בשביל הוא היא המ הנ היה היו צריכ צריכה רוצה לדעת נא עכשיו תודה
	я мы мне нам нас вас вам наш наша наше наши наших у в во на с со к ко о об от до по за из для и или а же ли бы это этот эта эти тот есть
	был была были будет будут покажи покажите показать скажи скажите дай даите дать посмотри посмотреть хочу нужно надо пожалуиста все всех
	список еще также сеичас спасибо`

const questionWords = `
	who whos what whats which when where whom whose how many much
	מי מה איזה אילו איזו מתי איפה היכנ כמה
	кто кого кому что какие какои какая какое каких когда где куда сколько чеи`

const hardWords = `
	not no never without except dont doesnt isnt arent wasnt werent havent hasnt hadnt didnt wont cant couldnt shouldnt wouldnt why should explain predict forecast compare best worst
	write draft compose summarize summarise recommend suggest advise opinion if
	לא אינ בלי ללא למה מדוע הסבר תסביר להסביר כדאי כתוב לכתוב תכתוב סכמ לסכמ השווה להשוות המלצ להמליצ
	не нет без кроме почему зачем объясни объяснить сравни сравнить напиши написать посоветуи лучше если стоит резюмируи`

const ownWords = `my mine שלי мои моя мое моих моим мою`

var stopWords = sync.OnceValue(func() map[string]float64 {
	m := map[string]float64{}
	for list, w := range map[string]float64{fillers: weightFiller, questionWords: weightQuestion, hardWords: weightHard, ownWords: weightOwn} {
		for s := range strings.FieldsSeq(list) {
			m[fold(s)] = w
		}
	}
	return m
})

// weight says how much a word matters.
func weight(t token) float64 {
	if w, ok := stopWords()[t.text]; ok {
		return w
	}
	return 1
}

// light reports whether a word carries nothing of the matter.
func light(t token) bool { w := weight(t); return w < 1 }
