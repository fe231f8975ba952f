package gym

import "strings"

// locales are the languages of the pages.
var locales = []string{"en", "he", "ru"}

var months = map[string][]string{
	"en": {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	"he": {"בינואר", "בפברואר", "במרץ", "באפריל", "במאי", "ביוני", "ביולי", "באוגוסט", "בספטמבר", "באוקטובר", "בנובמבר", "בדצמבר"},
	"ru": {"января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря"},
}

var weekdays = map[string][]string{
	"en": {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
	"he": {"א׳", "ב׳", "ג׳", "ד׳", "ה׳", "ו׳", "ש׳"},
	"ru": {"Вс", "Пн", "Вт", "Ср", "Чт", "Пт", "Сб"},
}

var weekdayLetters = map[string][]string{
	"en": {"S", "M", "T", "W", "T", "F", "S"},
	"he": {"א", "ב", "ג", "ד", "ה", "ו", "ש"},
	"ru": {"В", "П", "В", "С", "Ч", "П", "С"},
}

// word is a text of the pages: in the language, else in English. A value without
// a text of its own, such as a status that a later version brings, stands as it is.
func word(lang, key string) string {
	texts, ok := words[key]
	if !ok {
		return strings.ReplaceAll(key, "_", " ")
	}
	for i, locale := range locales {
		if locale == lang {
			return texts[i]
		}
	}
	return texts[0]
}

// words are in the order of locales.
var words = map[string][3]string{
	"schedule": {"Schedule", "לוח שיעורים", "Расписание"}, "members": {"Members", "מתאמנים", "Клиенты"}, "leads": {"Leads", "לידים", "Лиды"},
	"workouts": {"Workouts", "אימונים", "Тренировки"}, "inbox": {"Inbox", "הודעות", "Сообщения"}, "reports": {"Reports", "דוחות", "Отчёты"},
	"tasks": {"Tasks", "משימות", "Задачи"}, "settings": {"Settings", "הגדרות", "Настройки"}, "help": {"Help", "עזרה", "Справка"},
	"menu": {"Menu", "תפריט", "Меню"}, "close": {"Close", "סגירה", "Закрыть"}, "main": {"Main", "ראשי", "Главное"}, "skip": {"Skip to content", "דילוג לתוכן", "К содержанию"},
	"account": {"Account", "חשבון", "Аккаунт"}, "actAs": {"Act as", "לפעול בתור", "Действовать как"}, "switch": {"Switch", "החלפה", "Сменить"},
	"language": {"Language", "שפה", "Язык"}, "light": {"Light", "בהיר", "Светлая"}, "dark": {"Dark", "כהה", "Тёмная"}, "system": {"System", "לפי המערכת", "Системная"},
	"theme": {"Look", "מראה", "Вид"}, "owner": {"Owner", "בעלים", "Владелец"}, "admin": {"Admin", "ניהול", "Администратор"},
	"staff": {"Staff", "צוות", "Сотрудник"}, "member": {"Member", "מתאמן", "Клиент"}, "today": {"Today", "היום", "Сегодня"},
	"previousWeek": {"Previous week", "השבוע הקודם", "Прошлая неделя"}, "nextWeek": {"Next week", "השבוע הבא", "Следующая неделя"},
	"addClass": {"Add class", "שיעור חדש", "Добавить занятие"}, "addLead": {"Add lead", "ליד חדש", "Добавить лид"}, "addMember": {"Add member", "מתאמן חדש", "Добавить клиента"},
	"addTask": {"Add task", "משימה חדשה", "Добавить задачу"}, "class": {"Class", "שיעור", "Занятие"}, "coach": {"Coach", "מאמן", "Тренер"}, "time": {"Time", "שעה", "Время"},
	"places": {"Places", "מקומות", "Места"}, "room": {"Room", "חדר", "Зал"}, "save": {"Save", "שמירה", "Сохранить"}, "full": {"Full", "מלא", "Мест нет"},
	"waiting": {"Waiting", "בהמתנה", "В листе ожидания"}, "booked": {"Booked", "רשומים", "Записаны"}, "attended": {"Came", "הגיעו", "Пришли"},
	"no_show": {"No-show", "לא הגיעו", "Не пришли"}, "cancelled": {"Cancelled", "בוטל", "Отменено"}, "scheduled": {"Scheduled", "מתוכנן", "По плану"},
	"checkIn": {"Check in", "הגעה", "Отметить"}, "cancelBooking": {"Cancel booking", "ביטול הזמנה", "Отменить запись"}, "cancelClass": {"Cancel class", "ביטול השיעור", "Отменить занятие"},
	"nobody": {"Nobody is booked yet.", "עוד אין רשומים.", "Пока никто не записан."}, "noClasses": {"No classes on this day.", "אין שיעורים ביום הזה.", "В этот день нет занятий."},
	"name": {"Name", "שם", "Имя"}, "plan": {"Plan", "מנוי", "Абонемент"}, "status": {"Status", "מצב", "Статус"}, "lastVisit": {"Last in", "ביקור אחרון", "Последний визит"},
	"visitsLeft": {"Visits left", "ביקורים שנותרו", "Осталось визитов"}, "phone": {"Phone", "טלפון", "Телефон"}, "email": {"Email", "דוא״ל", "Почта"},
	"search": {"Search", "חיפוש", "Найти"}, "searchMembers": {"Search members", "חיפוש מתאמנים", "Поиск клиентов"}, "searchWorkouts": {"Search workouts", "חיפוש אימונים", "Поиск тренировок"},
	"searchHelp": {"Search help", "חיפוש בעזרה", "Поиск по справке"}, "all": {"All", "הכול", "Все"},
	"active": {"Active", "פעיל", "Активен"}, "paused": {"Paused", "מוקפא", "Заморожен"}, "ending": {"Ends soon", "מסתיים בקרוב", "Заканчивается"},
	"payment_due": {"Payment due", "ממתין לתשלום", "Ждёт оплаты"}, "lapsed": {"Lapsed", "הסתיים", "Закончился"}, "ended": {"Ended", "הסתיים", "Закончен"},
	"nothingFound": {"Nothing found.", "לא נמצא דבר.", "Ничего не найдено."}, "previous": {"Previous", "הקודם", "Назад"}, "next": {"Next", "הבא", "Далее"},
	"joined": {"Joined", "הצטרפות", "С нами с"}, "birthday": {"Birthday", "יום הולדת", "День рождения"}, "note": {"Note", "הערה", "Заметка"},
	"upcoming": {"Next bookings", "הזמנות קרובות", "Ближайшие записи"}, "recent": {"Lately", "לאחרונה", "Недавно"}, "visits30": {"Visits in 30 days", "ביקורים ב־30 יום", "Визиты за 30 дней"},
	"membership": {"Membership", "מנוי", "Абонемент"}, "freeze": {"Freeze", "הקפאה", "Заморозить"}, "resume": {"Resume", "חידוש", "Возобновить"}, "until": {"Until", "עד", "До"},
	"book": {"Book into a class", "הזמנה לשיעור", "Записать на занятие"}, "message": {"Message", "הודעה", "Сообщение"}, "send": {"Send", "שליחה", "Отправить"},
	"writeTo": {"Write a message", "כתיבת הודעה", "Написать сообщение"}, "pipeline": {"Pipeline", "מסלול", "Воронка"}, "show": {"Show", "הצגה", "Показать"},
	"notContacted": {"Not contacted yet", "עוד לא נוצר קשר", "Ещё не связались"}, "waitingDays": {"Waiting", "ממתין", "Ждёт"}, "days": {"days", "ימים", "дн."}, "day": {"day", "יום", "день"},
	"hourShort": {"h", "שע׳", "ч"}, "dayShort": {"d", "ימים", "д"}, "dayOne": {"d", "יום", "д"}, "source": {"Came by", "הגיע דרך", "Источник"}, "interest": {"Wants", "מעוניין ב", "Интерес"},
	"stage": {"Stage", "שלב", "Этап"}, "move": {"Move", "העברה", "Перенести"}, "history": {"History", "היסטוריה", "История"}, "addNote": {"Add a note", "הוספת הערה", "Добавить заметку"},
	"bookTrial": {"Book a trial", "קביעת ניסיון", "Записать на пробное"}, "trial": {"Trial", "ניסיון", "Пробное"}, "owner_of": {"In charge", "באחריות", "Ответственный"},
	"won": {"Won", "הצטרף", "Выигран"}, "lost": {"Lost", "לא הצטרף", "Потерян"}, "open": {"Open", "פתוח", "Открыт"}, "closed": {"Closed", "סגור", "Закрыт"},
	"library": {"Library", "ספרייה", "Библиотека"}, "thisWeek": {"Coming days", "הימים הקרובים", "Ближайшие дни"}, "programs": {"Programmes", "תוכניות", "Программы"},
	"kind": {"Kind", "סוג", "Вид"}, "level": {"Level", "רמה", "Уровень"}, "minutes": {"Minutes", "דקות", "Минуты"}, "results": {"Results", "תוצאות", "Результаты"},
	"strength": {"Strength", "כוח", "Сила"}, "conditioning": {"Conditioning", "סיבולת", "Выносливость"}, "skill": {"Skill", "טכניקה", "Техника"}, "mobility": {"Mobility", "מוביליטי", "Мобильность"},
	"beginner": {"Beginner", "מתחילים", "Новичок"}, "intermediate": {"Intermediate", "ביניים", "Средний"}, "advanced": {"Advanced", "מתקדמים", "Продвинутый"},
	"draft": {"Draft", "טיוטה", "Черновик"}, "published": {"Published", "פורסם", "Опубликовано"}, "archived": {"Archived", "בארכיון", "В архиве"}, "publish": {"Publish", "פרסום", "Опубликовать"},
	"workout": {"Workout", "אימון", "Тренировка"}, "exercise": {"Exercise", "תרגיל", "Упражнение"}, "sets": {"Sets", "סטים", "Подходы"}, "reps": {"Reps", "חזרות", "Повторы"}, "load": {"Load", "משקל", "Вес"},
	"leaderboard": {"Best results", "התוצאות הטובות", "Лучшие результаты"}, "score": {"Score", "תוצאה", "Результат"}, "kg": {"kg", "ק״ג", "кг"}, "metres": {"m", "מ׳", "м"},
	"date": {"Date", "תאריך", "Дата"}, "conversations": {"Conversations", "שיחות", "Беседы"}, "unread": {"Unread", "לא נקרא", "Не прочитано"},
	"closeThread": {"Close conversation", "סגירת השיחה", "Закрыть беседу"}, "markRead": {"Mark as read", "סימון כנקרא", "Отметить прочитанным"}, "failed": {"Not delivered", "לא נמסר", "Не доставлено"},
	"noMessages": {"No conversations yet.", "עוד אין שיחות.", "Бесед пока нет."}, "visits": {"Visits", "ביקורים", "Визиты"}, "noShows": {"No-shows", "לא הגיעו", "Неявки"},
	"cancellations": {"Cancellations", "ביטולים", "Отмены"}, "lastSevenDays": {"Last seven days", "שבעת הימים האחרונים", "Последние семь дней"},
	"fill": {"How full classes are", "תפוסת שיעורים", "Заполненность занятий"}, "revenue": {"Revenue this month", "הכנסות החודש", "Выручка за месяц"},
	"retention": {"Members this month", "מתאמנים החודש", "Клиенты за месяц"}, "left": {"Left", "עזבו", "Ушли"}, "atStart": {"At the start", "בתחילת החודש", "В начале"}, "stayed": {"Stayed", "נשארו", "Остались"},
	"funnel": {"Leads by stage", "לידים לפי שלב", "Лиды по этапам"}, "absent": {"Not in for 14 days", "לא הגיעו 14 יום", "Не были 14 дней"}, "unknown": {"Unknown", "לא ידוע", "Неизвестно"},
	"card": {"Card", "אשראי", "Карта"}, "cash": {"Cash", "מזומן", "Наличные"}, "transfer": {"Transfer", "העברה", "Перевод"}, "method": {"Method", "אמצעי", "Способ"}, "amount": {"Amount", "סכום", "Сумма"},
	"ok": {"Read", "נקרא", "Прочитано"}, "stale": {"Behind", "בפיגור", "Отстаёт"}, "error": {"No answer", "אין תשובה", "Нет ответа"},
	"classTypes": {"Kinds of classes", "סוגי שיעורים", "Виды занятий"}, "plans": {"Plans", "מנויים", "Абонементы"}, "price": {"Price", "מחיר", "Цена"}, "team": {"Team", "צוות", "Команда"},
	"automations": {"Automations", "אוטומציות", "Автоматизации"}, "on": {"On", "פועל", "Вкл."}, "off": {"Off", "כבוי", "Выкл."}, "turnOn": {"Turn on", "הפעלה", "Включить"}, "turnOff": {"Turn off", "כיבוי", "Выключить"},
	"runs": {"Runs", "הרצות", "Запуски"}, "failures": {"Failures", "כשלים", "Сбои"}, "forms": {"Forms", "טפסים", "Формы"}, "answers": {"Answers", "תשובות", "Ответы"},
	"announcements": {"Announcements", "הודעות לציבור", "Объявления"}, "feed": {"Payment feed", "עדכון תשלומים", "Данные о платежах"}, "asOf": {"Read up to", "נקרא עד", "Прочитано до"},
	"role": {"Role", "תפקיד", "Роль"}, "title": {"Title", "כותרת", "Название"}, "due": {"Due", "לביצוע עד", "Срок"}, "done": {"Done", "בוצע", "Сделано"}, "priority": {"Priority", "דחיפות", "Срочность"},
	"high": {"High", "גבוהה", "Высокая"}, "normal": {"Normal", "רגילה", "Обычная"}, "low": {"Low", "נמוכה", "Низкая"}, "assignee": {"Who", "מי", "Кто"}, "about": {"About", "לגבי", "О ком"},
	"noTasks": {"Nothing to do.", "אין מה לעשות.", "Дел нет."}, "notFound": {"There is no such page", "אין דף כזה", "Такой страницы нет"}, "wentWrong": {"This was not done", "זה לא בוצע", "Это не сделано"},
	"forStaff": {"This page is for the team", "הדף הזה מיועד לצוות", "Эта страница для команды"}, "toSchedule": {"To the schedule", "ללוח השיעורים", "К расписанию"}, "days_of": {"Days", "ימים", "Дни"},
	"text": {"Text", "מסרון", "СМС"}, "whatsapp": {"WhatsApp", "WhatsApp", "WhatsApp"}, "assigned": {"Follow it", "מתאמנים בה", "Занимаются"}, "weeks": {"Weeks", "שבועות", "Недели"}, "week": {"Week", "שבוע", "Неделя"},
	"goal": {"Goal", "מטרה", "Цель"}, "contact": {"Contact", "יצירת קשר", "Контакты"}, "detail": {"Details", "פרטים", "Подробности"},
}
