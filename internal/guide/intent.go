package guide

import (
	"slices"
	"strings"
	"sync"
)

// intent is what a message is about beside reads and pages.
type intent uint8

const (
	intentNone intent = iota
	intentGreeting
	intentThanks
	intentHelp
	intentWho
)

var intentWords = []struct {
	intent intent
	words  string
}{
	{intentGreeting, `hi hello hey heya howdy greetings good morning afternoon evening
		שלום היי הי אהלן בוקר ערב צהריים טוב טובים לילה
		привет здравствуй здравствуйте добрый доброе добрая день утро вечер приветствую`},
	{intentThanks, `thanks thank thx cheers great perfect nice cool awesome ok okay bye goodbye much very lot
		תודה רבה מעולה אחלה מצוין סבבה יופי להתראות ביי
		спасибо благодарю отлично супер хорошо большое пока понятно ок`},
	{intentHelp, `help
		עזרה עזור עזרי תעזור תעזרי
		помощь помоги помогите справка`},
}

var intentPhrases = []struct {
	intent  intent
	phrases []string
}{
	{intentWho, []string{
		"who are you", "what are you", "are you ai", "are you an ai", "are you a bot", "are you a robot", "are you human", "are you a human", "are you a person", "are you a model", "are you chatgpt", "are you claude",
		"מי אתה", "מי את", "אתה בוט", "את בוט", "אתה רובוט", "אתה בינה מלאכותית", "את בינה מלאכותית", "אתה אדם", "מה אתה",
		"кто ты", "кто вы", "ты бот", "вы бот", "ты робот", "вы робот", "ты человек", "вы человек", "ты ии", "что ты такое",
	}},
	{intentHelp, []string{
		"what can you do", "what can i do", "what can i ask", "what do you do", "what do you know", "how does this work", "how do you work", "how can you help", "what can you help",
		"מה אתה יודע", "מה את יודעת", "מה אפשר לעשות", "מה אפשר לשאול", "איך זה עובד", "במה אפשר לעזור", "מה אתה יכול", "מה את יכולה",
		"что ты умеешь", "что вы умеете", "что ты можешь", "что вы можете", "как это работает", "что можно спросить", "чем ты можешь помочь", "чем вы можете помочь",
	}},
}

// writeVerbs open a sentence that asks for a change.
const writeVerbs = `
	cancel delete remove erase book add create make move send change update edit rename assign approve refund freeze unfreeze charge reschedule
	register enroll enrol sign schedule invite archive publish post upload pay close reopen start stop turn set mark put
	renew extend reserve submit buy subscribe unsubscribe block unblock ban waive reset enable disable finish resolve notify remind transfer merge
	duplicate confirm decline reject accept raise increase decrease
	בטל בטלי תבטל תבטלי לבטל מחק מחקי תמחק תמחקי למחוק הוסף הוסיפי תוסיף תוסיפי להוסיף צור צרי תיצור תיצרי ליצור שלח שלחי תשלח תשלחי לשלוח
	הזז הזיזי תזיז תזיזי להזיז העבר העבירי תעביר תעבירי להעביר שנה שני תשנה תשני לשנות עדכן עדכני תעדכן תעדכני לעדכן תרשום תרשמי לרשום הזמן הזמיני תזמין להזמין
	קבע קבעי תקבע תקבעי לקבוע הארך להאריך חדש לחדש אשר לאשר דחה לדחות הקפא תקפיא להקפיא סגור לסגור פתח לפתוח
	отмени отмените отменить удали удалите удалить запиши запишите записать добавь добавьте добавить создай создайте создать перенеси перенесите перенести
	отправь отправьте отправить измени измените изменить обнови обновите обновить переименуй назначь назначьте назначить заморозь заморозить верни верните вернуть
	продли продлите продлить подтверди подтвердить отклони отклонить
	оплати оплатить закрой закройте закрыть забронируй забронировать поменяй поменяйте поменять сделай сделайте сделать`

// goVerbs ask for a page.
const goVerbs = `
	open go take navigate page pages screen where bring link
	פתח פתחי תפתח לפתוח עמוד דף מסך איפה היכן קישור
	открой откройте открыть перейди перейти страница страницу где экран ссылка ссылку`

type vocabulary struct {
	intents map[string]map[intent]bool
	phrases map[string]intent
	writes  map[string]bool
	goes    map[string]bool
}

var intents = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{intents: map[string]map[intent]bool{}, phrases: map[string]intent{}, writes: map[string]bool{}, goes: map[string]bool{}}
	for _, row := range intentWords {
		for w := range strings.FieldsSeq(fold(row.words)) {
			if v.intents[w] == nil {
				v.intents[w] = map[intent]bool{}
			}
			v.intents[w][row.intent] = true
		}
	}
	for _, row := range intentPhrases {
		for _, p := range row.phrases {
			v.phrases[fold(p)] = row.intent
		}
	}
	for w := range strings.FieldsSeq(fold(writeVerbs)) {
		v.writes[w] = true
	}
	for w := range strings.FieldsSeq(fold(goVerbs)) {
		v.goes[w] = true
	}
	return v
})

// intent tells a greeting, thanks, or a question about the guide itself; none where the message says more than that.
func (r *reading) intent() intent {
	v := intents()
	if len(r.tokens) > 10 {
		return intentNone
	}
	texts := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		texts[i] = t.text
	}
	line := " " + strings.Join(texts, " ") + " "
	for p, is := range v.phrases {
		if rest := strings.Replace(line, " "+p+" ", " ", 1); rest != line && r.onlySmall(strings.Fields(rest)) {
			return is
		}
	}
	var all map[intent]bool
	for _, t := range r.tokens {
		mine, known := v.intents[t.text]
		switch {
		case !known && light(t):
		case !known:
			return intentNone
		case all == nil:
			all = map[intent]bool{}
			for is := range mine {
				all[is] = true
			}
		default:
			// "hi, thanks": a greeting and a thank-you together are still only small talk.
			for is := range mine {
				all[is] = true
			}
		}
	}
	for _, is := range []intent{intentHelp, intentThanks, intentGreeting} {
		if all[is] {
			return is
		}
	}
	return intentNone
}

// onlySmall reports whether words are small talk or carry nothing.
func (r *reading) onlySmall(texts []string) bool {
	v := intents()
	for _, w := range texts {
		if _, stop := stopWords()[w]; !stop && v.intents[w] == nil {
			return false
		}
	}
	return true
}

// opening gives the first word that is not politeness, -1 where there is none.
func (r *reading) opening() int {
	for i, t := range r.tokens {
		if !light(t) || intents().writes[t.text] {
			return i
		}
	}
	return -1
}

// asksHowTo reports whether the message asks how something is done, which no read tells and which is no change either.
func (r *reading) asksHowTo() bool {
	text := func(i int) string {
		if i < len(r.tokens) {
			return r.tokens[i].text
		}
		return ""
	}
	switch text(0) {
	case "how":
		return text(1) == "to" || (text(1) == "do" || text(1) == "can" || text(1) == "should") && (text(2) == "i" || text(2) == "we" || text(2) == "you")
	case "איכ", "כיצד":
		return true
	case "как":
		return strings.HasSuffix(text(1), "ть") || strings.HasSuffix(text(1), "ти")
	default:
		return false
	}
}

// asksToChange reports whether the message opens with the verb of a change that the best phrase does not itself hold.
func (r *reading) asksToChange(best *candidate) bool {
	i := r.opening()
	if i < 0 || !intents().writes[r.tokens[i].text] || len(r.tokens) < 2 || r.asksHowTo() || r.asksWhat(i) {
		return false
	}
	return best == nil || best.score < enough ||
		!slices.ContainsFunc(best.ask.words, func(w token) bool { return w.text == r.tokens[i].text })
}

// asksWhat reports whether the words before a verb make it part of a question ("who is on freeze", "can I cancel a
// class"), where "can you" still asks to have it done.
func (r *reading) asksWhat(verb int) bool {
	text := func(i int) string {
		if i < verb {
			return r.tokens[i].text
		}
		return ""
	}
	if slices.Contains(modals(), text(0)) {
		return text(1) != "you"
	}
	if slices.Contains(askers(), text(0)) {
		return true
	}
	return slices.ContainsFunc(r.tokens[:verb], func(t token) bool { return weight(t) == weightQuestion })
}

// modals open a question of what may be done; askers one of what is.
var (
	modals = sync.OnceValue(func() []string { return strings.Fields("can could may might should would will") })
	askers = sync.OnceValue(func() []string {
		return strings.Fields(fold("is are am was were does did has have had how why האם יש איך למה мне можно ли есть как почему"))
	})
)

// asksForPage reports whether the message asks where something is.
func (r *reading) asksForPage() bool {
	for _, t := range r.tokens {
		if intents().goes[t.text] {
			return true
		}
	}
	return false
}

// asksToGo reports whether the message asks to be brought to a page, not only where something is.
func (r *reading) asksToGo() bool {
	for _, t := range r.tokens {
		if intents().goes[t.text] && !light(t) {
			return true
		}
	}
	return false
}

// content gives the tokens that carry the matter.
func (r *reading) content() []token {
	var out []token
	for i, t := range r.tokens {
		if r.weights[i] >= 1 && !intents().goes[t.text] {
			out = append(out, t)
		}
	}
	return out
}
